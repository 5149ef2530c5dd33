#include "gyre/solvers/options.hpp"

namespace gyre::solvers {

std::string_view name_of(Preconditioner preconditioner) {
  return preconditioner == Preconditioner::Jacobi ? "jacobi" : "none";
}

}  // namespace gyre::solvers
