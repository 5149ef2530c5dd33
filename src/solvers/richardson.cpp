#include "gyre/solvers/richardson.hpp"

#include "planned_steps.hpp"

namespace gyre::solvers {
namespace {

template <class T>
class Richardson final : public PlannedSteps<T> {
 public:
  Richardson(Workspace<T>& workspace, const Variant&) : PlannedSteps<T>(workspace) {}

 private:
  Real first_step() override { return this->w().s.relaxation; }
  std::pair<Real, Real> next_step() override {
    return {this->w().s.relaxation, builder::constant<double>(0.0)};
  }
};

}  // namespace

ir::Program make_richardson(const Variant& variant) {
  return make_method_program<Richardson>("richardson", variant);
}

ir::Program make_jacobi(const Variant& variant) {
  if (variant.preconditioner != Preconditioner::None &&
      variant.preconditioner != Preconditioner::Jacobi) {
    throw UsageError("the method jacobi has the preconditioner jacobi, and takes no other");
  }
  Variant with_diagonal = variant;
  with_diagonal.preconditioner = Preconditioner::Jacobi;
  return make_method_program<Richardson>("jacobi", with_diagonal);
}

}  // namespace gyre::solvers
