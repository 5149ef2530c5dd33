#include "gyre/solvers/matrix.hpp"

#include "gyre/base/error.hpp"

namespace gyre::solvers {

SparseMatrix Matrix::entries() const {
  throw UsageError(
      "algebraic multigrid needs the entries of its matrix in compressed rows on the "
      "host, and this one has " +
      shape());
}

}  // namespace gyre::solvers
