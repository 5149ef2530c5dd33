#include "gyre/solvers/minres.hpp"

#include "true_residual_loop.hpp"

namespace gyre::solvers {
namespace {

template <class T>
class Minres final : public Steps<T> {
 public:
  Minres(Workspace<T>& workspace, const Variant&)
      : Steps<T>(workspace),
        p(workspace.p),
        v(workspace.s.vector("v")),
        v_old(workspace.s.vector("v_old")),
        direction(workspace.s.vector("w")),
        direction_old(workspace.s.vector("w_old")),
        z(workspace.s.vector("z")),
        q(workspace.s.vector("q")),
        gamma(p.var("gamma", 0.0)),
        gamma_old(p.var("gamma_old", 1.0)),
        eta(p.var("eta", 0.0)),
        c(p.var("c", 1.0)),
        c_old(p.var("c_old", 1.0)),
        s(p.var("s", 0.0)),
        s_old(p.var("s_old", 0.0)) {}

  void start() override {
    // v = r,  γ = √(vᵀM⁻¹v),  z = M⁻¹v / γ
    p.foreach(0, n(), [&](const Index& i) {
      v[i] = w().r[i];
      v_old[i] = 0.0;
      direction[i] = 0.0;
      direction_old[i] = 0.0;
    });
    w().m->apply(v);
    const auto square = p.let("square", v_dot_inverse_v(w().rr));
    w().breakdown = select(square < 0.0, code(Reason::Indefinite), w().breakdown);
    gamma = sqrt(square);
    const auto by_gamma = p.let("by_gamma", inverse_or_zero(gamma));
    p.foreach(0, n(), [&](const Index& i) { z[i] = w().m->element(v, i) * as<T>(by_gamma); });
    gamma_old = 1.0;
    eta = gamma;
    c = 1.0;
    c_old = 1.0;
    s = 0.0;
    s_old = 0.0;
  }

  void trip() override {
    // q = A z
    w().s.a->multiply(z, q);
    const auto delta = p.let("delta", dot(n(), elements_of(z), elements_of(q)));

    // v' = q − (δ/γ) v − (γ/γ_old) v_old
    const auto along = p.let("along", delta / gamma);
    const auto along_old = p.let("along_old", gamma / gamma_old);
    // What the rotations so far make of the new column of the tridiagonal matrix.
    const auto alpha0 = p.let("alpha0", c * delta - c_old * s * gamma);
    const auto alpha2 = p.let("alpha2", s * delta + c_old * c * gamma);
    const auto alpha3 = p.let("alpha3", s_old * gamma);
    gamma_old = gamma;
    c_old = c;
    s_old = s;
    p.foreach(0, n(), [&](const Index& i) {
      const auto next = p.let("v_next", q[i] - as<T>(along) * v[i] - as<T>(along_old) * v_old[i]);
      v_old[i] = v[i];
      v[i] = next;
    });
    w().m->apply(v);
    const auto square = p.let("square", v_dot_inverse_v(dot(n(), elements_of(v), elements_of(v))));
    const auto gamma_next = p.let("gamma_next", sqrt(square));

    // One more rotation makes the entry below it 0.
    const auto alpha1 = p.let("alpha1", sqrt(alpha0 * alpha0 + square));
    w().breakdown = select(square < 0.0, code(Reason::Indefinite),
                           select(!is_finite(alpha1) || !is_finite(alpha2), code(Reason::NanOrInf),
                                  select(alpha1 > 0.0, going, code(Reason::Breakdown))));
    const auto is_trip = p.let("is_trip", is_going(w().breakdown));
    const auto by_alpha1 = p.let("by_alpha1", select(is_trip, 1.0 / alpha1, 0.0));
    const auto c_next = p.let("c_next", alpha0 * by_alpha1);
    const auto s_next = p.let("s_next", gamma_next * by_alpha1);
    const auto eta_next = p.let("eta_next", -s_next * eta);

    // w' = (z − α₃ w_old − α₂ w) / α₁,  y += c' η w',  r = s'² r + (η' c'/γ') v',  z = M⁻¹v'/γ'
    const auto by_gamma = p.let("by_gamma", inverse_or_zero(gamma_next));
    const auto step = p.let("step", c_next * eta);
    const auto shrink = p.let("shrink", select(is_trip, s_next * s_next, 1.0));
    const auto turn = p.let("turn", eta_next * c_next * by_gamma);
    p.foreach(0, n(), [&](const Index& i) {
      const auto next =
          p.let("w_next", (z[i] - as<T>(alpha3) * direction_old[i] - as<T>(alpha2) * direction[i]) *
                              as<T>(by_alpha1));
      direction_old[i] = direction[i];
      direction[i] = next;
      w().y[i] += as<T>(step) * next;
      w().r[i] = as<T>(shrink) * w().r[i] + as<T>(turn) * v[i];
      z[i] = w().m->element(v, i) * as<T>(by_gamma);
    });
    w().rr = dot(n(), elements_of(w().r), elements_of(w().r));

    gamma = gamma_next;
    eta = eta_next;
    c = c_next;
    s = s_next;
    w().s.count_trip(is_trip, sqrt(w().rr));
  }

 private:
  using Steps<T>::w;
  const Index& n() const { return w().s.n; }

  // 0 for γ = 0, where the Krylov space ends.
  static Real inverse_or_zero(const Real& length) {
    return select(length > 0.0, 1.0 / length, 0.0);
  }

  Real v_dot_inverse_v(const Real& v_dot_v) const {
    if (w().m->is_identity()) return v_dot_v;
    return dot(n(), elements_of(v), [&](const Index& i) { return w().m->element(v, i); });
  }

  builder::Program& p;
  Vector<T> v;
  Vector<T> v_old;
  Vector<T> direction;
  Vector<T> direction_old;
  Vector<T> z;
  Vector<T> q;
  builder::Scalar<double> gamma;
  builder::Scalar<double> gamma_old;
  builder::Scalar<double> eta;
  builder::Scalar<double> c;
  builder::Scalar<double> c_old;
  builder::Scalar<double> s;
  builder::Scalar<double> s_old;
};

}  // namespace

ir::Program make_minres(const Variant& variant) {
  return make_method_program<Minres>("minres", variant);
}

}  // namespace gyre::solvers
