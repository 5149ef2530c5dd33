/// The calls by which a library orders and sums.
#pragma once

#include "gyre/ir/callee.hpp"
#include "gyre/ir/primitive_library.hpp"

#include <memory>

namespace gyre::passes {

/// A call of keys, an i32 buffer for their positions in order, and an i64 scalar, their number:
/// PrimitiveLibrary::order, and on the host a stable sort of order bits.
std::shared_ptr<const ir::Callee> order_call(const ir::PrimitiveLibrary& library,
                                             ir::ScalarType key, const ir::KeyOrder& order);

/// A call of terms and a buffer for their sums: PrimitiveLibrary::sum, and on the host one sum
/// behind the other.
std::shared_ptr<const ir::Callee> sum_call(const ir::PrimitiveLibrary& library, ir::ScalarType term,
                                           bool exclusive);

}  // namespace gyre::passes
