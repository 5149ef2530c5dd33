#include "gyre/solvers/bicgstab.hpp"

#include "true_residual_loop.hpp"

namespace gyre::solvers {
namespace {

// `d` is the direction that the literature calls p; s stands in r.
template <class T>
class BiCgStab final : public Steps<T> {
 public:
  BiCgStab(Workspace<T>& workspace, const Variant&)
      : Steps<T>(workspace),
        p(workspace.p),
        shadow(workspace.s.vector("shadow")),
        d(workspace.s.vector("p")),
        v(workspace.s.vector("v")),
        t(workspace.s.vector("t")),
        d_hat(workspace.m->is_identity() ? d : workspace.s.vector("p_hat")),
        s_hat(workspace.m->is_identity() ? workspace.r : workspace.s.vector("s_hat")),
        rho(p.var("rho", 0.0)) {}

  void start() override {
    const auto& r = w().r;
    p.foreach(0, n(), [&](const Index& i) {
      shadow[i] = r[i];
      d[i] = r[i];
    });
    w().m->stored(p, n(), d, d_hat);
    rho = w().rr;
  }

  void trip() override {
    const auto& r = w().r;

    // v = A p̂,  α = r̂ᵀr / r̂ᵀv. Where the quotient would mean nothing, the trip leaves y as it is
    // and does not count.
    w().s.a->multiply(d_hat, v);
    const auto sigma = p.let("sigma", dot(n(), elements_of(shadow), elements_of(v)));
    w().breakdown = select(!is_finite(sigma) || !is_finite(rho), code(Reason::NanOrInf),
                           select(sigma == 0.0 || rho == 0.0, code(Reason::Breakdown), going));
    const auto is_trip = is_going(w().breakdown);
    const auto alpha = p.let("alpha", select(is_trip, rho / sigma, 0.0));

    // s = r − α v
    p.foreach(0, n(), [&](const Index& i) { r[i] -= as<T>(alpha) * v[i]; });
    w().m->stored(p, n(), r, s_hat);

    // t = A ŝ,  ω = tᵀs / tᵀt: the least ‖s − ω t‖
    w().s.a->multiply(s_hat, t);
    const auto ts = p.let("ts", dot(n(), elements_of(t), elements_of(r)));
    const auto tt = p.let("tt", dot(n(), elements_of(t), elements_of(t)));
    const auto omega = p.let("omega", select(is_trip && tt > 0.0, ts / tt, 0.0));

    // What β is of the new r̂ᵀr, since α / ρ is 1 / σ.
    const auto by_sigma_omega = p.let("by_sigma_omega", 1.0 / (sigma * omega));

    // y += α p̂ + ω ŝ,  r = s − ω t
    p.foreach(0, n(), [&](const Index& i) {
      w().y[i] += as<T>(alpha) * d_hat[i] + as<T>(omega) * s_hat[i];
      r[i] -= as<T>(omega) * t[i];
    });
    const auto next = p.let("next", dot(n(), elements_of(shadow), elements_of(r)));
    w().rr = dot(n(), elements_of(r), elements_of(r));

    // p = r + β (p − ω v)
    const auto beta = p.let("beta", next * by_sigma_omega);
    p.foreach(0, n(),
              [&](const Index& i) { d[i] = r[i] + as<T>(beta) * (d[i] - as<T>(omega) * v[i]); });
    w().m->stored(p, n(), d, d_hat);

    rho = next;
    w().s.count_trip(is_trip, sqrt(w().rr));
    w().breakdown =
        select(is_trip && omega == 0.0 && w().rr > 0.0, code(Reason::Breakdown), w().breakdown);
  }

 private:
  using Steps<T>::w;
  const Index& n() const { return w().s.n; }

  builder::Program& p;
  Vector<T> shadow;
  Vector<T> d;
  Vector<T> v;
  Vector<T> t;
  Vector<T> d_hat;
  Vector<T> s_hat;
  builder::Scalar<double> rho;
};

}  // namespace

ir::Program make_bicgstab(const Variant& variant) {
  return make_method_program<BiCgStab>("bicgstab", variant);
}

}  // namespace gyre::solvers
