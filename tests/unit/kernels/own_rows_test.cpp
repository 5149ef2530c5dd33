// Rows of a matrix that blocks keep: those that follow the block's first one, as far as there is
// room.

#include "unit/kernels/simt.hpp"

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

/// What one block of 32 threads with a row each keeps of `elements` elements.
struct Kept {
  std::vector<bool> has = std::vector<bool>(32);
  /// Of rows that are kept: whether all their elements are the buffer's.
  bool is_right = true;
};

Kept keep(const std::vector<Row>& rows, long long elements, unsigned room) {
  std::vector<int> buffer;
  for (int i = 0; i < elements; ++i) buffer.push_back(3 * i + 1);
  static RowsHead head;
  Kept kept;
  simt::Block::launch(1, 32, [&] {
    Row own[1] = {};
    if (threadIdx.x < rows.size()) own[0] = rows[threadIdx.x];
    const OwnRows<1> all(head, own, elements, room);
    Chip chip;
    const Staged<int> part = all.keep(chip, buffer.data(), room);
    __syncthreads();
    if (threadIdx.x >= rows.size()) return;
    kept.has[threadIdx.x] = all.has(0);
    if (!all.has(0)) return;
    const Range range = all.range(0);
    kept.is_right = kept.is_right && range.begin == own[0].begin &&
                    static_cast<long long>(range.count) == own[0].end - own[0].begin;
    for (long long k = own[0].begin; k < own[0].end; ++k) {
      kept.is_right = kept.is_right && part[k] == buffer[static_cast<std::size_t>(k)];
    }
  });
  return kept;
}

TEST(OwnRows, RowsThatFollowEachOtherAreAllKept) {
  const Kept kept = keep({{4, 7}, {7, 7}, {7, 12}, {12, 13}}, 20, 9);

  for (int i = 0; i < 4; ++i) EXPECT_TRUE(kept.has[static_cast<std::size_t>(i)]) << i;
  EXPECT_TRUE(kept.is_right);
}

TEST(OwnRows, WhatIsPastTheRoomIsReadWhereItIs) {
  const Kept kept = keep({{4, 7}, {7, 12}, {12, 14}}, 20, 8);

  EXPECT_TRUE(kept.has[0] && kept.has[1]);
  EXPECT_FALSE(kept.has[2]);
  EXPECT_TRUE(kept.is_right);
}

TEST(OwnRows, RowsBeforeTheFirstOneAndRowsThatEndBeforeTheyBeginAreNotKept) {
  const Kept kept = keep({{6, 8}, {2, 4}, {9, 7}, {8, 10}}, 20, 10);

  EXPECT_TRUE(kept.has[0] && kept.has[3]);
  EXPECT_FALSE(kept.has[1] || kept.has[2]);
  EXPECT_TRUE(kept.is_right);
}

TEST(OwnRows, NothingIsReadOutsideOfTheBuffer) {
  const Kept past = keep({{4, 7}, {7, 21}, {18, 20}}, 20, 100);
  const Kept before = keep({{-3, 2}, {-1, 0}, {0, 3}}, 20, 100);
  const Kept first = keep({{-2000, 3}, {3, 7}, {7, 9}}, 20, 4000);
  const Kept far = keep({{1LL << 62, (1LL << 62) + 1}, {-(1LL << 62), 3}}, 20, 100);

  EXPECT_FALSE(past.has[1]);
  EXPECT_TRUE(past.has[0] && past.has[2] && past.is_right);
  EXPECT_FALSE(before.has[0] || before.has[1]);
  EXPECT_TRUE(before.is_right);
  EXPECT_FALSE(first.has[0] || first.has[1] || first.has[2]);
  EXPECT_FALSE(far.has[0] || far.has[1]);
}

}  // namespace
}  // namespace gyre
