#include "gyre/solvers/matrix.hpp"

#include "gyre/base/error.hpp"

namespace gyre::solvers {

SparseMatrix Matrix::entries() const {
  throw UsageError(
      "algebraic multigrid needs a matrix in compressed rows on the host, whose entries it may "
      "look "
      "at; this one has " +
      shape());
}

}  // namespace gyre::solvers
