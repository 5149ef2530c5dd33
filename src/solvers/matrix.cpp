#include "gyre/solvers/matrix.hpp"

#include "gyre/base/error.hpp"

namespace gyre::solvers {

SparseMatrix Matrix::entries() const {
  throw UsageError(
      "amg, ilu0, ic0, ssor and gauss_seidel need a matrix in compressed rows, ELLPACK or slices, "
      "or a stencil, whose entries they may look at on the host; this one has " +
      shape());
}

}  // namespace gyre::solvers
