/// Instructions that touch buffers: loads, stores, colliding additions. Every index is checked; a
/// lane whose index lies outside ends, and touches nothing.
#pragma once

#include "cpu_bytecode.hpp"

namespace gyre::executors::cpu {

/// out = element `side` of Body::accesses. `element` is the buffer's type.
Run run_of_load(ir::ScalarType element);
/// Stores in[0] there.
Run run_of_store(ir::ScalarType element);
/// Adds in[0], an integer, there; lanes may meet at one element.
Run run_of_scatter_add(ir::ScalarType element);

}  // namespace gyre::executors::cpu
