/// The shape of a fold, which is part of its meaning: the same terms give the same bits everywhere.
///
/// A fold of m terms has W strands. Strand s starts from term s and adds s + W, s + 2W, … in order;
/// then neighbouring strands combine pairwise, level by level: ((s0+s1)+(s2+s3))+…, where a strand
/// without terms is skipped. W is a function of m alone. Leaves out the terms themselves.
#pragma once

#ifndef __CUDACC_RTC__
#include <cstdint>
#endif

#include "gyre/ir/scalar_ops.hpp"

namespace gyre::strands {

/// At most so many strands device-wide, and within one index of a foreach.
inline constexpr long long max_outer = 1LL << 18;
inline constexpr long long max_inner = 256;

/// The strands of a device-wide fold: the least power of two that is at least m, up to the cap.
GYRE_HOST_DEVICE constexpr long long outer(long long m) {
  long long w = 1;
  while (w < m && w < max_outer) w *= 2;
  return w;
}

/// The strands of a fold within a foreach: the greatest power of two up to m / 4, up to the cap.
GYRE_HOST_DEVICE constexpr long long inner(long long m) {
  long long w = 1;
  while (w * 2 <= m / 4 && w < max_inner) w *= 2;
  return w;
}

/// Combines `count` strands as the adjacent-pair tree, in place, and returns the root; `count` is
/// at least 1. Strands past `count` are the absent ones. A power-of-two block of aligned strands
/// may be combined first and stand for them as one.
template <class T, class Combine>
GYRE_HOST_DEVICE T combine_tree(T* strands, long long count, Combine combine) {
  while (count > 1) {
    const long long pairs = count / 2;
    for (long long i = 0; i < pairs; ++i) strands[i] = combine(strands[2 * i], strands[2 * i + 1]);
    if (count % 2 != 0) strands[pairs] = strands[count - 1];
    count = pairs + count % 2;
  }
  return strands[0];
}

}  // namespace gyre::strands
