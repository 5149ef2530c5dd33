#include "gyre/solvers/variant.hpp"

#include "gyre/solvers/batch_matrix.hpp"
#include "gyre/solvers/matrix.hpp"

namespace gyre::solvers {

bool works_in_f32(const Variant& variant) {
  if (variant.batch) return variant.batch->type() == ir::ScalarType::F32;
  return variant.mixed || (variant.matrix && variant.matrix->type() == ir::ScalarType::F32);
}

}  // namespace gyre::solvers
