/// Whether a caller's buffers share memory that a program writes.
///
/// Judged by addresses and extents alone, so that it serves memory of the host and of a device.
#pragma once

#include "gyre/ir/arguments.hpp"
#include "gyre/ir/program.hpp"

#include <span>

namespace gyre::ir {

/// UsageError where memory that is written is another buffer's too. `views` is as long as
/// `symbols`; those of buffers that the caller binds hold their address and extents. Inputs may
/// overlap inputs, neighbours do not overlap, and what has no elements overlaps nothing.
void refuse_overlaps(std::span<const Symbol> symbols, std::span<const BufferView> views);

}  // namespace gyre::ir
