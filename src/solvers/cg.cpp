#include "gyre/solvers/cg.hpp"

#include "linear_system.hpp"

#include <limits>

namespace gyre::solvers {
namespace {

// A restart that gains less than this factor is the precision's end, not progress.
constexpr double least_gain = 0.5;
// How far the recurrence may run ahead of a true residual: further, it says nothing about x.
constexpr double farthest = 1e-14;
// Residuals below this, of a scaled system, have squares that vanish.
constexpr double least_norm = 1e-140;

// The program while it is written down; `d` is the direction that the literature calls p.
struct Cg {
  Cg(builder::Program& program, const Variant& variant)
      : p(program),
        s(p, variant.keeps_history),
        m(p, s, variant.preconditioner),
        r(p.temp<double>("r", {s.n})),
        d(p.temp<double>("p", {s.n})),
        y(p.temp<double>("y", {s.n})),
        q(p.temp<double>("q", {s.n})),
        rr(p.var("rr", 0.0)),
        rz(p.var("rz", 0.0)),
        breakdown(p.var<std::int32_t>("breakdown", going)),
        norm(p.var("norm", 0.0)),
        last_norm(p.var("last_norm", std::numeric_limits<double>::max())) {}

  void build() {
    scale_rhs(p, s);
    start_from_true_residual();
    p.while_(is_going(s.reason), [&] {
      recur();
      start_from_true_residual();
    });
  }

  void start_from_true_residual() {
    // x += y,  y = 0. Were the trips to add to x, each would round in it.
    p.foreach(0, s.n, [&](auto i) {
      s.x[i] += y[i];
      y[i] = 0.0;
    });

    // r = b − A x,  p = M⁻¹ r
    p.foreach(0, s.n, [&](auto i) {
      r[i] = (s.b[i] - s.product(s.x, i)) / s.scale;
      d[i] = m.apply(r, i);
    });
    rr = sum(0, s.n, [&](auto i) { return r[i] * r[i]; });
    rz = r_dot_z();
    norm = sqrt(rr);
    s.residual = s.scale * norm;
    s.relative = select(s.norm_b > 0.0, norm / s.norm_b, norm);
    s.record(norm);
    judge();
  }

  // The first that holds is the reason.
  void judge() {
    s.end_if(!is_finite(norm) || !is_finite(s.recurrence), Reason::DivergedNan);
    s.end_if(norm <= s.rtol * s.norm_b, Reason::ConvergedRtol);
    s.end_if(s.residual <= s.atol, Reason::ConvergedAtol);
    s.end_if(s.row_without_diagonal < s.n, Reason::BreakdownNoDiagonal);
    s.end_if(!is_going(breakdown), breakdown);
    s.end_if(s.trips >= s.max_trips, Reason::MaxTrips);
    s.end_if(norm > least_gain * last_norm, Reason::Stagnated);
    last_norm = norm;
  }

  void recur() {
    const auto target = p.let(
        "target", max(max(s.rtol * s.norm_b, s.atol / s.scale), max(farthest * norm, least_norm)));
    s.restarts += select(s.trips > 0, builder::constant<std::int64_t>(1), 0);
    p.while_(is_going(breakdown) && rr > target * target && s.trips < s.max_trips, [&] { trip(); });
    s.recurrence = select(s.norm_b > 0.0, sqrt(rr) / s.norm_b, sqrt(rr));
  }

  void trip() {
    // q = A p
    p.foreach(0, s.n, [&](auto i) { q[i] = s.product(d, i); });
    const auto curvature = p.let("curvature", sum(0, s.n, [&](auto i) { return d[i] * q[i]; }));

    // α = rᵀz / pᵀA p. Where the quotient would mean nothing, the trip leaves y as it is and does
    // not count.
    breakdown =
        select(!is_finite(curvature) || !is_finite(rz), code(Reason::DivergedNan),
               select(curvature > 0.0 && rz > 0.0, going, code(Reason::BreakdownIndefinite)));
    const auto is_trip = p.let("is_trip", is_going(breakdown));
    const auto alpha = p.let("alpha", select(is_trip, rz / curvature, 0.0));

    // y += α p,  r −= α q
    p.foreach(0, s.n, [&](auto i) {
      y[i] += (s.scale * alpha) * d[i];
      r[i] -= alpha * q[i];
    });
    rr = sum(0, s.n, [&](auto i) { return r[i] * r[i]; });

    // β = new rᵀz / old rᵀz,  p = z + β p
    const auto next = p.let("next", r_dot_z());
    const auto beta = p.let("beta", next / rz);
    p.foreach(0, s.n, [&](auto i) { d[i] = m.apply(r, i) + beta * d[i]; });

    rz = select(is_trip, next, rz);
    s.trips += select(is_trip, builder::constant<std::int64_t>(1), 0);
    s.record(sqrt(rr));
  }

  // rᵀz with z = M⁻¹ r, which is never stored.
  Number r_dot_z() const {
    if (m.is_identity()) return rr;
    return sum(0, s.n, [&](auto i) { return r[i] * m.apply(r, i); });
  }

  builder::Program& p;
  LinearSystem s;
  DiagonalPreconditioner m;
  Vector r;
  Vector d;
  // What the trips since the last true residual add to x.
  Vector y;
  Vector q;
  builder::Scalar<double> rr;
  builder::Scalar<double> rz;
  // What made the last trip mean nothing.
  builder::Scalar<std::int32_t> breakdown;
  builder::Scalar<double> norm;
  builder::Scalar<double> last_norm;
};

}  // namespace

ir::Program make_cg(const Variant& variant) {
  builder::Program p("cg");
  Cg(p, variant).build();
  return p.finish();
}

}  // namespace gyre::solvers
