/// The shape of a scan, which is part of its meaning: the same terms give the same bits everywhere.
///
/// The m terms lie in leaves of 16, the leaves in groups of 64, and the groups in blocks of w: the
/// least whole number that is at least 64 and at least the root of the number of groups. Element j
/// is
///
///     ((blocks + groups) + leaves) + terms
///
/// with the inner folds (strands.hpp) of all blocks before its own, of all groups of its block
/// before its own, of all leaves of its group before its own, and of the terms of its leaf up to j;
/// `+` stands for the fold's own operation. A leaf counts as the inner fold of its terms, a group
/// as that of its leaves, a block as that of its groups, and the fold of nothing is its empty
/// value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gyre::ir::scan_shape {

/// How many terms a leaf has.
inline constexpr std::int64_t leaf = 16;
/// How many leaves a group has.
inline constexpr std::int64_t group = 64;
inline constexpr std::int64_t least_block = 64;

/// How many groups a block has, of so many in all.
inline std::int64_t block(std::int64_t groups) {
  const auto root = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(groups))));
  return std::max(least_block, root);
}

}  // namespace gyre::ir::scan_shape
