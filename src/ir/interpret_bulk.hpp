/// The statements that take whole buffers: call, copy, fill.
#pragma once

#include "gyre/ir/region.hpp"
#include "interpret_memory.hpp"

namespace gyre::ir {

/// Runs the call's host function; UsageError where it has none.
void run_call(Memory& memory, const Call& call);
void run_copy(Memory& memory, const Copy& copy);
void run_fill(Memory& memory, const Fill& fill, const Value& value);

}  // namespace gyre::ir
