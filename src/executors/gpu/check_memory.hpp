/// Whether memory that a caller binds may serve a program on a device.
///
/// Looks at facts and asks nobody, so that every answer is tested without a GPU. Leaves out what
/// `ir::resolve` has checked on any machine: extents, alignment, null, overlaps.
#pragma once

#include "gyre/cuda/pointer_facts.hpp"
#include "gyre/ir/arguments.hpp"
#include "gyre/ir/program.hpp"

namespace gyre::executors {

/// UsageError, naming the buffer, where `view` is memory of another device than `device`, where its
/// allocation ends before its extents do, or where there is no memory at all. `facts` are those of
/// `view.data`; what has no elements is never refused.
void check_memory(const ir::Symbol& symbol, const ir::BufferView& view,
                  const cuda::PointerFacts& facts, int device);

/// UsageError, naming the buffer, where its memory is of another allocation now than when it was
/// bound: it was given back in between, and what lies there is somebody else's.
void check_allocation(const ir::Symbol& symbol, const cuda::PointerFacts& bound,
                      const cuda::PointerFacts& now);

}  // namespace gyre::executors
