#include "gmres_cycle.hpp"

namespace gyre::solvers {
namespace {

// What turns (above, below) into (√(above² + below²), 0). A NaN stays one, and ends the trips.
struct Rotation {
  Rotation(builder::Program& p, const Real& above, const Real& below)
      : length(p.let("length", sqrt(above * above + below * below))),
        cosine(p.let("cosine", select(length == 0.0, 0.0, above / length))),
        sine(p.let("sine", select(length == 0.0, 1.0, below / length))) {}

  Real length;
  Real cosine;
  Real sine;
};

}  // namespace

Real inverse(const Real& x) {
  return select(x == 0.0, 0.0, 1.0 / x);
}

GmresCycle::GmresCycle(builder::Program& program, std::int64_t trips, double least_pivot)
    : j(program.var<std::int64_t>("j", 0)),
      on_u(program.temp<double>("on_u", {trips + 1, trips})),
      on_w(program.temp<double>("on_w", {trips, trips + 2})),
      norm_u(program.temp<double>("norm_u", {trips})),
      norm_w(program.temp<double>("norm_w", {trips})),
      null_on_u(program.temp<double>("null_on_u", {trips})),
      null_on_w(program.temp<double>("null_on_w", {trips})),
      null(program.temp<double>("null", {trips})),
      weight(program.temp<double>("weight", {1, trips})),
      p_(program),
      m_(trips),
      least_pivot_(least_pivot),
      scales_(program.temp<double>("scales", {trips})),
      cosines_(program.temp<double>("cosines", {trips})),
      sines_(program.temp<double>("sines", {trips})),
      triangle_(program.temp<double>("triangle", {trips, trips})),
      solution_(program.temp<double>("solution", {1, trips})),
      norm_r_(program.var("norm_r", 0.0)),
      last_null_(program.var("last_null", 0.0)),
      last_scale_(program.var("last_scale", 0.0)),
      last_cosine_(program.var("last_cosine", 0.0)),
      last_sine_(program.var("last_sine", 0.0)),
      above_(program.var("above", 0.0)),
      below_(program.var("below", 0.0)),
      cosine_(program.var("cosine", 0.0)),
      sine_(program.var("sine", 0.0)),
      square_(program.var("square", 0.0)) {}

void GmresCycle::begin(const Real& norm) {
  norm_r_ = norm;
  square_ = norm * norm;
  // So that the first trip finds a rotation with the sine 1.
  last_scale_ = -1.0;
  above_ = 0.0;
  j = 0;
}

Real GmresCycle::advance(const Real& uu) {
  // The column before is complete now: its rotation makes this trip's ν.
  const auto norm_before = p_.let("norm_before", select(j == 0, 0.0, norm_w[j - 1]));
  const Rotation turn(p_, above_ + norm_before * last_scale_ * null_on_u[j],
                      norm_before * norm_u[j]);
  const auto c = p_.let("c", select(j == 0, 1.0, turn.cosine));
  const auto scale = p_.let("scale", -turn.sine * last_scale_);
  above_ = c * on_w(j, j) + scale * null_on_w[j];
  square_ = square_ * (turn.sine * turn.sine);
  last_scale_ = scale;
  last_null_ = c * inverse(scale);
  last_cosine_ = c;
  last_sine_ = turn.sine;

  // ‖û‖ stands for the a that the next trip finds.
  below_ = norm_w[j] * sqrt(uu);
  const Rotation next(p_, above_, below_);
  cosine_ = next.cosine;
  sine_ = next.sine;
  j += 1;
  return square_ * (next.sine * next.sine);
}

void GmresCycle::keep_last(const Index& k) const {
  p_.if_(k == j - 1, [&] {
    null[k] = last_null_;
    scales_[k] = last_scale_;
    // Until the next trip knows better.
    cosines_[k] = cosine_;
    sines_[k] = sine_;
  });
  p_.if_(k == j - 2, [&] {
    cosines_[k] = last_cosine_;
    sines_[k] = last_sine_;
  });
}

void GmresCycle::solve() {
  p_.foreach(0, m_, [&](const Index& k) { keep_last(k); });
  make_triangle();
  solve_triangle();
}

// R_kl = cosine_k ν_kᵀ G_l + sine_k G_{k+1,l}: what k + 1 rotations leave of row k of G. Of the
// last column no next trip has found more.
void GmresCycle::make_triangle() {
  p_.foreach(builder::range("l", 0, m_), [&](const Index& l) {
    p_.if_(l < j, [&] {
      const auto is_last = p_.let("is_last", l + 1 == j);
      const auto more = p_.let("more", select(is_last, 0.0, norm_w[l]));
      const auto entry = [&](const Index& k) { return on_w(l, k) + more * on_u(l + 1, k); };
      const auto product = p_.var("product", 0.0);
      p_.for_(builder::range("k", 0, l), [&](const Index& k) {
        product += null[k] * entry(k);
        triangle_(l, k) = cosines_[k] * scales_[k] * product + sines_[k] * entry(k + 1);
      });
      product += null[l] * entry(l);
      triangle_(l, l) = cosines_[l] * scales_[l] * product +
                        sines_[l] * select(is_last, below_, norm_w[l] * norm_u[l + 1]);
    });
  });
}

// R x̂ = g, from the last row up, with g_k = cosine_k ν_k0 ‖r‖; and U x̂ beside it.
void GmresCycle::solve_triangle() {
  p_.foreach(builder::range(0, 1), builder::independent, [&](const auto& one) {
    p_.for_(builder::range("k", j - 1, -1).step(-1), [&](const Index& k) {
      const auto rest = p_.var("rest", cosines_[k] * scales_[k] * norm_r_);
      const auto total = p_.var("total", 0.0);
      p_.for_(builder::range("l", k + 1, j), [&](const Index& l) {
        const auto x = p_.let("x", solution_(one, l));
        rest -= triangle_(l, k) * x;
        total += on_u(l, k) * x;
      });
      const auto pivot = p_.let("pivot", triangle_(k, k));
      const auto is_rounding = abs(pivot) <= least_pivot_ * norm_w[k];
      const auto x = p_.let("x", select(is_rounding, 0.0, rest / pivot));
      solution_(one, k) = x;
      weight(one, k) = total + norm_u[k] * x;
    });
  });
}

}  // namespace gyre::solvers
