/// Primitives as calls of a library: before and after stand in call_library.hpp.
#pragma once

#include "gyre/ir/primitive_library.hpp"
#include "primitive_terms.hpp"

#include <optional>

namespace gyre::passes {

/// What a call goes over, where a statement can be one.
struct CalledTerms {
  /// The buffer that holds what the first operand gives; none where that has to be stored first.
  std::optional<Array> array;
  /// How many places the call goes over.
  Term room;
};

CalledTerms called_sort(const Sketch& sketch, const ir::Primitive& op, const PrimitiveTerms& terms);
/// None where the scan has to be loops.
std::optional<CalledTerms> called_scan(const Sketch& sketch, const ir::Primitive& op,
                                       const PrimitiveTerms& terms);

/// `count` holds terms.count().
void sketch_called_sort(Sketch& sketch, const ir::Primitive& op, const PrimitiveTerms& terms,
                        const CalledTerms& called, const Variable& count,
                        const ir::PrimitiveLibrary& library);
void sketch_called_scan(Sketch& sketch, const ir::Primitive& op, const PrimitiveTerms& terms,
                        const CalledTerms& called, const ir::PrimitiveLibrary& library);

}  // namespace gyre::passes
