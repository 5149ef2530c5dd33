/// The shape of a scan, which is part of its meaning: the same terms give the same bits everywhere.
///
/// The m terms lie in leaves of 16, and the leaves in groups of w: the least whole number that is
/// at least 64 and at least the root of the number of leaves. Element j is
///
///     (groups + leaves) + terms
///
/// with the inner folds (strands.hpp) of all groups before its own, of all leaves of its group
/// before its own, and of the terms of its leaf up to j; `+` stands for the fold's own operation. A
/// leaf counts as the inner fold of its terms, a group as the inner fold of its leaves, and the
/// fold of nothing is its empty value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gyre::ir::scan_shape {

inline constexpr std::int64_t leaf = 16;
inline constexpr std::int64_t least_width = 64;

/// How many leaves a group has, of so many in all.
inline std::int64_t width(std::int64_t leaves) {
  const auto root = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(leaves))));
  return std::max(least_width, root);
}

}  // namespace gyre::ir::scan_shape
