/// The half-open range `begin..end` by `step`, as positions from 0 on.
#pragma once

#include "gyre/ir/scalar_ops.hpp"

namespace gyre {

struct Range {
  long long begin;
  long long step;
  unsigned long long count;

  /// Step 0 has no index.
  __device__ Range(long long begin, long long end, long long step = 1)
      : begin(begin), step(step), count(ops::range_extent(begin, end, step)) {}

  __device__ long long operator[](unsigned long long position) const {
    return static_cast<long long>(static_cast<unsigned long long>(begin) +
                                  position * static_cast<unsigned long long>(step));
  }

  /// The index in this range, the last of several, of the point `rest` in row-major order; `rest`
  /// becomes the point's place in the ranges before.
  __device__ long long take(unsigned long long& rest) const {
    unsigned long long before;
    if (((rest | count) >> 32) == 0) {
      // The same quotient, in a fifth of the instructions.
      before = static_cast<unsigned>(rest) / static_cast<unsigned>(count);
    } else {
      before = rest / count;
    }
    const unsigned long long position = rest - before * count;
    rest = before;
    return (*this)[position];
  }
};

}  // namespace gyre
