/// A library of device-wide primitives, as work that it puts on a stream of a GPU.
///
/// gyre's core brings none; one beside it does (libraries/cub.hpp). Leaves out which statements are
/// done by it (passes/call_library.hpp).
#pragma once

#include "gyre/ir/call_context.hpp"
#include "gyre/ir/primitive.hpp"
#include "gyre/ir/scalar_type.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace gyre::ir {

/// From where on a call of a library is quicker than loops, as data. A call is decided on at run
/// time, by a conditional node, where the program does not tell lengths.
struct LibraryLimits {
  /// How many values the shortest sort and the shortest scan have; 0: any number, which spares the
  /// look at it.
  std::int64_t least_sort = 0;
  std::int64_t least_scan = 0;
  /// A sort by a call goes over all places of its first output, also where only the device knows
  /// how few values there are: at most so many places for each of them.
  std::int64_t most_places_a_value = 4;
};

struct PrimitiveLibrary {
  /// Calls are named after it.
  std::string name;

  /// The work of a call of three arguments: keys of `type` (an i32, i64, f32 or f64), a buffer of
  /// i32 and an i64 scalar. It stores in the buffer, by place, the positions of the first `scalar`
  /// keys, sorted by their order bits, equal ones as they stood; what it stores behind them, as far
  /// as the buffer reaches, is anything. Keys are as many as the buffer's elements or more, and
  /// those fewer than 2^31.
  std::function<std::function<void(const DeviceCallContext&)>(ScalarType type, KeyOrder order)>
      order;

  /// The work of a call of two arguments, buffers of `type` (an i32 or i64): it stores the sum of
  /// the first's elements up to and including each, or of those before it, at its place in the
  /// second, which is at least as long. There are fewer than 2^31.
  std::function<std::function<void(const DeviceCallContext&)>(ScalarType type, bool exclusive)> sum;

  LibraryLimits limits = {};
};

}  // namespace gyre::ir
