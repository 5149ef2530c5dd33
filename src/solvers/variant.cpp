#include "gyre/solvers/variant.hpp"

#include "gyre/solvers/matrix.hpp"

namespace gyre::solvers {

bool works_in_f32(const Variant& variant) {
  return variant.mixed || (variant.matrix && variant.matrix->type() == ir::ScalarType::F32);
}

}  // namespace gyre::solvers
