#include "gyre/solvers/chronopoulos_gear.hpp"

#include "true_residual_loop.hpp"

#include <limits>

namespace gyre::solvers {
namespace {

// `d` is the direction that the literature calls p.
template <class T>
class ChronopoulosGear final : public Steps<T> {
 public:
  ChronopoulosGear(Workspace<T>& workspace, const Variant&)
      : Steps<T>(workspace),
        p(workspace.p),
        u(workspace.m->is_identity() ? workspace.r : workspace.s.vector("u")),
        d(workspace.s.vector("p")),
        s(workspace.s.vector("s")),
        q(workspace.s.vector("w")),
        gamma(p.var("gamma", 0.0)),
        gamma_old(p.var("gamma_old", no_trip_yet)),
        alpha_old(p.var("alpha_old", 1.0)) {}

  void start() override {
    p.foreach(0, n(), [&](const Index& i) {
      d[i] = 0.0;
      s[i] = 0.0;
    });
    gamma = r_dot_u();
    gamma_old = no_trip_yet;
    alpha_old = 1.0;
  }

  void trip() override {
    // w = A u
    w().s.a->multiply(u, q);
    const auto delta = p.let("delta", dot(n(), elements_of(q), elements_of(u)));

    // α = γ / pᵀA p. Where the quotient would mean nothing, the trip leaves y as it is and does not
    // count.
    const auto beta = p.let("beta", gamma / gamma_old);
    const auto curvature = p.let("curvature", delta - beta * gamma / alpha_old);
    w().breakdown = select(!is_finite(curvature) || !is_finite(gamma), code(Reason::NanOrInf),
                           select(curvature > 0.0 && gamma > 0.0, going, code(Reason::Indefinite)));
    const auto is_trip = p.let("is_trip", is_going(w().breakdown));
    const auto alpha = p.let("alpha", select(is_trip, gamma / curvature, 0.0));

    // p = u + β p,  s = w + β s,  y += α p,  r −= α s
    p.foreach(0, n(), [&](const Index& i) {
      d[i] = u[i] + as<T>(beta) * d[i];
      s[i] = q[i] + as<T>(beta) * s[i];
      w().y[i] += as<T>(alpha) * d[i];
      w().r[i] -= as<T>(alpha) * s[i];
    });
    w().rr = dot(n(), elements_of(w().r), elements_of(w().r));
    gamma_old = gamma;
    alpha_old = alpha;
    gamma = r_dot_u();
    w().s.count_trip(is_trip, sqrt(w().rr));
  }

 private:
  using Steps<T>::w;
  const Index& n() const { return w().s.n; }

  // The γ of the trip before the first: β is 0.
  static constexpr double no_trip_yet = std::numeric_limits<double>::infinity();

  // u = M⁻¹r and rᵀu.
  Real r_dot_u() const {
    w().m->stored(p, n(), w().r, u);
    if (w().m->is_identity()) return w().rr;
    return dot(n(), elements_of(w().r), elements_of(u));
  }

  builder::Program& p;
  Vector<T> u;
  Vector<T> d;
  Vector<T> s;
  Vector<T> q;
  builder::Scalar<double> gamma;
  builder::Scalar<double> gamma_old;
  builder::Scalar<double> alpha_old;
};

}  // namespace

ir::Program make_chronopoulos_gear(const Variant& variant) {
  return make_method_program<ChronopoulosGear>("chronopoulos_gear", variant);
}

}  // namespace gyre::solvers
