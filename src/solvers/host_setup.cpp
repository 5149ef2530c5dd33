#include "host_setup.hpp"

#include "coloured_sweeps.hpp"
#include "incomplete_inverse.hpp"
#include "multigrid_inverse.hpp"

namespace gyre::solvers {

HostSetup set_up(const Matrix& matrix, std::string_view method, Preconditioner preconditioner) {
  HostSetup made;
  switch (preconditioner) {
    case Preconditioner::Multigrid:
      made.multigrid = std::make_shared<const Multigrid>(aggregate(matrix.entries()));
      break;
    case Preconditioner::Ilu0:
      made.factors = std::make_shared<const IncompleteFactors>(
          lay_out_factors(matrix.entries(), FactorPattern::General));
      break;
    case Preconditioner::Ic0:
      made.factors = std::make_shared<const IncompleteFactors>(
          lay_out_factors(matrix.entries(), FactorPattern::Symmetric));
      break;
    default: break;
  }
  if (method == "gauss_seidel" || preconditioner == Preconditioner::Ssor) {
    made.colours = std::make_shared<const LevelSchedule>(schedule_by_colours(matrix.entries()));
  }
  return made;
}

void bind(Executable& executable, const HostSetup& setup) {
  if (setup.multigrid) bind_multigrid(executable, *setup.multigrid);
  if (setup.factors) bind_factors(executable, *setup.factors);
  if (setup.colours) bind_colours(executable, *setup.colours);
}

bool have_one_program(const HostSetup& one, const HostSetup& other) {
  if (one.multigrid) return have_one_program(*one.multigrid, *other.multigrid);
  if (one.colours) return colours_in_line(*one.colours) == colours_in_line(*other.colours);
  return true;
}

}  // namespace gyre::solvers
