#include "gyre/solvers/chebyshev.hpp"

#include "planned_steps.hpp"
#include "spectrum.hpp"

namespace gyre::solvers {
namespace {

template <class T>
class Chebyshev final : public PlannedSteps<T> {
 public:
  Chebyshev(Workspace<T>& workspace, const Variant&)
      : PlannedSteps<T>(workspace),
        p(workspace.p),
        theta(p.var("theta", 0.0)),
        delta(p.var("delta", 0.0)),
        rho(p.var("rho", 0.0)) {
    const auto& s = workspace.s;
    const auto found = largest_eigenvalue(s, *workspace.m);
    const auto b = p.let("largest_ev", select(s.eigenvalue_max > 0.0, s.eigenvalue_max, found));
    const auto a = select(s.eigenvalue_min > 0.0, s.eigenvalue_min, b / spectrum_ratio);
    theta = (b + a) / 2.0;
    delta = (b - a) / 2.0;
  }

 private:
  Real first_step() override {
    rho = delta * inverse(theta);
    return inverse(theta);
  }

  std::pair<Real, Real> next_step() override {
    // 1/(2θ/δ − ρ) = δ/(2θ − δ ρ), which is good for δ = 0 too
    const auto over = p.let("over", inverse(2.0 * theta - delta * rho));
    const auto beta = p.let("beta", delta * over * rho);
    rho = delta * over;
    return {p.let("alpha", 2.0 * over), beta};
  }

  // A matrix of zeros has no step to make.
  static Real inverse(const Real& number) { return select(number == 0.0, 0.0, 1.0 / number); }

  builder::Program& p;
  builder::Scalar<double> theta;
  builder::Scalar<double> delta;
  builder::Scalar<double> rho;
};

}  // namespace

ir::Program make_chebyshev(const Variant& variant) {
  return make_method_program<Chebyshev>("chebyshev", variant);
}

}  // namespace gyre::solvers
