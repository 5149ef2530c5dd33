#include "gyre/solvers/cg.hpp"

#include "true_residual_loop.hpp"

namespace gyre::solvers {
namespace {

// The program while it is written down; `d` is the direction that the literature calls p.
template <class T>
class Cg final : public Steps<T> {
 public:
  Cg(Workspace<T>& workspace, const Variant&)
      : Steps<T>(workspace),
        p(workspace.p),
        d(workspace.s.vector("p")),
        q(workspace.s.vector("q")),
        rz(p.var("rz", 0.0)) {}

  void start() override {
    // p = M⁻¹ r
    w().m->apply(w().r);
    p.foreach(0, w().s.n, [&](const Index& i) { d[i] = w().m->element(w().r, i); });
    rz = r_dot_z();
  }

  void trip() override {
    const Index& n = w().s.n;
    const Vector<T>& r = w().r;
    const Vector<T>& y = w().y;

    // q = A p
    w().s.a->multiply(d, q);
    const auto curvature = p.let("curvature", dot(n, elements_of(d), elements_of(q)));

    // α = rᵀz / pᵀA p. Where the quotient would mean nothing, the trip leaves y as it is and does
    // not count.
    w().breakdown = select(!is_finite(curvature) || !is_finite(rz), code(Reason::NanOrInf),
                           select(curvature > 0.0 && rz > 0.0, going, code(Reason::Indefinite)));
    const auto is_trip = p.let("is_trip", is_going(w().breakdown));
    const auto alpha = p.let("alpha", select(is_trip, rz / curvature, 0.0));

    // y += α p,  r −= α q
    p.foreach(0, n, [&](const Index& i) {
      y[i] += as<T>(alpha) * d[i];
      r[i] -= as<T>(alpha) * q[i];
    });
    w().rr = dot(n, elements_of(r), elements_of(r));

    // β = new rᵀz / old rᵀz,  p = z + β p
    w().m->apply(r);
    const auto next = p.let("next", r_dot_z());
    const auto beta = p.let("beta", next / rz);
    p.foreach(0, n, [&](const Index& i) { d[i] = w().m->element(r, i) + as<T>(beta) * d[i]; });

    rz = select(is_trip, next, rz);
    w().s.count_trip(is_trip, sqrt(w().rr));
  }

 private:
  using Steps<T>::w;

  // rᵀz with z = M⁻¹ r.
  Real r_dot_z() const {
    if (w().m->is_identity()) return w().rr;
    return dot(w().s.n, elements_of(w().r),
               [&](const Index& i) { return w().m->element(w().r, i); });
  }

  builder::Program& p;
  Vector<T> d;
  Vector<T> q;
  builder::Scalar<double> rz;
};

}  // namespace

ir::Program make_cg(const Variant& variant) {
  return make_method_program<Cg>("cg", variant);
}

}  // namespace gyre::solvers
