#include "gyre/solvers/gauss_seidel.hpp"

#include "coloured_sweeps.hpp"
#include "true_residual_loop.hpp"

namespace gyre::solvers {
namespace {

template <class T>
class GaussSeidel final : public Steps<T> {
 public:
  GaussSeidel(Workspace<T>& workspace, const Variant& variant)
      : Steps<T>(workspace),
        sweeps_(workspace.s, variant),
        rhs_(workspace.s.vector("rhs")),
        q_(workspace.s.vector("q")) {}

  void start() override {
    w().p.foreach(0, w().s.n, [&](const Index& i) { rhs_[i] = w().r[i]; });
  }

  void trip() override {
    const Vector<T>& y = w().y;
    const Vector<T>& r = w().r;
    sweeps_.rise(0, 0, [&](const Index& colour) {
      sweeps_.relax(colour, rhs_, y, [&](const Index& i, const Element<T>& correction) {
        return y[i] + correction;
      });
    });
    // r = rhs − A y, since no colour but the last knows its residual.
    w().s.a->for_each_product(
        y, q_, [&](const Index& i, const Element<T>& product) { r[i] = rhs_[i] - product; });
    w().rr = dot(w().s.n, elements_of(r), elements_of(r));
    w().s.count_trip(builder::constant<bool>(true), sqrt(w().rr));
  }

 private:
  using Steps<T>::w;

  ColouredSweeps<T> sweeps_;
  /// What y is the solution for.
  Vector<T> rhs_;
  Vector<T> q_;
};

}  // namespace

ir::Program make_gauss_seidel(const Variant& variant) {
  if (variant.preconditioner != Preconditioner::None) {
    throw UsageError("the method gauss_seidel takes no preconditioner");
  }
  return make_method_program<GaussSeidel>("gauss_seidel", variant);
}

}  // namespace gyre::solvers
