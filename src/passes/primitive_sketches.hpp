/// Each device-wide primitive as parallel loops: before and after stand in lower_primitives.hpp.
#pragma once

#include "primitive_terms.hpp"

namespace gyre::passes {

// sketch_scan.cpp
void sketch_scan(Sketch& sketch, const ir::Primitive& op);
/// The same where the bounds are read already, and there is room.
void sketch_scan(Sketch& sketch, const ir::Primitive& op, const PrimitiveTerms& terms);

// sketch_order.cpp
/// Who orders: loops of the program, or the host's standard library.
enum class Orderer { Loops, Host };
void sketch_sort(Sketch& sketch, const ir::Primitive& op, Orderer by);
void sketch_sort(Sketch& sketch, const ir::Primitive& op, const PrimitiveTerms& terms, Orderer by);
void sketch_topk(Sketch& sketch, const ir::Primitive& op, Orderer by);

// sketch_selection.cpp
void sketch_compact(Sketch& sketch, const ir::Primitive& op);
void sketch_reduce_by_key(Sketch& sketch, const ir::Primitive& op);
void sketch_histogram(Sketch& sketch, const ir::Primitive& op);

}  // namespace gyre::passes
