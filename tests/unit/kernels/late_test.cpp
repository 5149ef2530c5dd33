// What the end of a kernel finds in shared memory is what stood in the state on entry.

#include "unit/kernels/simt.hpp"

#include <gtest/gtest.h>

namespace gyre {
namespace {

constexpr unsigned cells = sizeof(Control);
constexpr unsigned loops = cells + 64;

class LateTest : public testing::Test {
 protected:
  LateTest() { control(state_).launch = 3; }

  State state_ = memory_;

 private:
  alignas(16) char memory_[loops + 2 * sizeof(Loop)] = {};
};

TEST_F(LateTest, CellsHaveTheValuesOfTheEntry) {
  store_cell(state_, cells, true);
  store_cell(state_, cells + 8, -5);
  store_cell(state_, cells + 16, 0.25);
  Late<Offsets<cells + 8, cells, cells + 16>, Offsets<>> late;

  late.begin(state_);
  late.wait();
  store_cell(state_, cells + 8, 7);

  EXPECT_EQ(late.cell<int>(0), -5);
  EXPECT_TRUE(late.cell<bool>(1));
  EXPECT_EQ(late.cell<double>(2), 0.25);
  EXPECT_TRUE(late.runs());
}

TEST_F(LateTest, LoopsAreSeenAsTheyAreLookedAtInTheState) {
  auto* all = reinterpret_cast<Loop*>(state_ + loops);
  all[0].trips = 4;
  all[0].limit = 10;
  all[1].trips = 5;
  all[1].limit = 20;

  for (const unsigned word : {0u, 2u, 3u}) {
    control(state_).cancel[2] = word;
    for (const unsigned status : {unsigned{running}, unsigned{stopped}}) {
      control(state_).status = status;
      Late<Offsets<cells>, Offsets<loops, loops + sizeof(Loop)>> late;

      late.begin(state_);
      late.wait();

      for (unsigned i = 0; i < 2; ++i) {
        const LoopView seen = late.look_at_loop(i);
        const LoopView direct =
            look_at_loop(state_, loops + i * static_cast<unsigned>(sizeof(Loop)));
        EXPECT_EQ(seen.runs, direct.runs);
        EXPECT_EQ(seen.is_cancelled, direct.is_cancelled) << word;
        EXPECT_EQ(seen.trips, direct.trips);
        EXPECT_EQ(seen.limit, direct.limit);
      }
    }
  }
}

}  // namespace
}  // namespace gyre
