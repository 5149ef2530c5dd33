// Sweeps under a promise, run on blocks of the host in both orders of their threads.
#include "unit/kernels/simt.hpp"

#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

constexpr unsigned buffer_number = 7;
constexpr unsigned foreach_region = 3;

class WatchedSweep : public ::testing::TestWithParam<bool> {
 protected:
  WatchedSweep() : shadow_(2 + 2 * elements) { simt::Block::backwards = GetParam(); }
  ~WatchedSweep() override { simt::Block::backwards = false; }

  using View = Watched<double, 1>;
  using Body = std::function<void(const View&, Here&, long long)>;

  // One sweep over `points`; whether it broke its promise.
  bool breaks(long long points, const Body& body) {
    control(state()) = Control{};
    const auto blocks = static_cast<unsigned>((points + block_threads - 1) / block_threads);
    simt::Block::launch(blocks, block_threads, [&] {
      const View view{{memory_.data(), buffer_number, {elements}}, shadow()};
      Here here{state(), 0};
      here.watch(1, foreach_region);
      for (long long point = first_point(); point < points; point += next_point) {
        here.start(point);
        here.move_to(2, foreach_region + 1);
        body(view, here, point);
      }
      view.end_sweep();
    });
    return control(state()).fault == broken_promise;
  }

  State state() { return state_; }
  Shadow* shadow() { return reinterpret_cast<Shadow*>(shadow_.data()); }

  static constexpr long long elements = 700;
  alignas(16) char state_[sizeof(Control)] = {};
  std::vector<unsigned long long> shadow_;
  std::vector<double> memory_ = std::vector<double>(elements, 1.0);
};

TEST_P(WatchedSweep, TwoIndicesThatStoreToOneElementMeet) {
  EXPECT_TRUE(breaks(700, [](const View& x, Here& here, long long i) {
    x.store(here, 0, {i == 699 ? 0 : i}, 2.0);
  }));

  const Control& seen = control(state());
  EXPECT_EQ(seen.status, faulted);
  EXPECT_EQ(seen.fault_buffer, buffer_number);
  EXPECT_EQ(seen.fault_index[0], 0);
  EXPECT_EQ(seen.region, foreach_region);
}

TEST_P(WatchedSweep, OneThatReadsWhatAnotherStoresMeetsIt) {
  for (const long long distance : {-1, 1, -300, 300}) {
    EXPECT_TRUE(breaks(700, [&](const View& x, Here& here, long long i) {
      if (i == 350) x.load(here, 0, {i + distance});
      if (i != 350) x.store(here, 1, {i}, 2.0);
    })) << distance;
  }
}

TEST_P(WatchedSweep, ManyReadersAndNoWriterDoNotMeet) {
  EXPECT_FALSE(breaks(700, [](const View& x, Here& here, long long i) {
    x.load(here, 0, {0});
    x.load(here, 1, {i % 3});
  }));
}

TEST_P(WatchedSweep, AnIndexMayReadAndStoreItsOwnAgainAndAgain) {
  for (int sweep = 0; sweep < 3; ++sweep) {
    // Another index has the element in every sweep.
    EXPECT_FALSE(breaks(700, [&](const View& x, Here& here, long long i) {
      const long long own = (i + sweep) % 700;
      for (int k = 0; k < 2; ++k) x.store(here, 1, {own}, x.load(here, 0, {own}) + 1.0);
    }));
  }
  EXPECT_EQ(memory_, std::vector<double>(elements, 7.0));
}

TEST_P(WatchedSweep, RedReadsBlackAlone) {
  EXPECT_FALSE(breaks(349, [](const View& x, Here& here, long long i) {
    const long long at = 2 * i + 1;
    x.store(here, 2, {at}, x.load(here, 0, {at - 1}) + x.load(here, 1, {at + 1}));
  }));
}

TEST_P(WatchedSweep, ABrokenPromiseComesBeforeAnIndexOutside) {
  EXPECT_TRUE(breaks(700, [](const View& x, Here& here, long long i) {
    if (i % 2 == 0) x.load(here, 0, {elements + i});
    if (i % 2 == 1) x.store(here, 1, {1}, 2.0);
  }));
}

TEST_P(WatchedSweep, AnIndexThatFailedIsNotSeenBehindItsFault) {
  EXPECT_FALSE(breaks(700, [](const View& x, Here& here, long long i) {
    if (i == 5) x.load(here, 0, {-1});
    if (i == 5) x.load(here, 1, {6});
    if (i != 5) x.store(here, 2, {i}, 2.0);
  }));

  EXPECT_EQ(control(state()).fault, out_of_bounds);
}

TEST_P(WatchedSweep, TheTermsOfAFoldAreSeenInTheirOrder) {
  // Terms up to the first that fails are read; strand by strand, the one behind it would be too.
  const auto sum_of = [](long long first_bad) {
    return [first_bad](const View& x, Here& here, long long i) {
      if (i != 0) return x.store(here, 2, {i}, 2.0);
      checked_fold<Sum<double>>(Range{0, 64}).of(here, [&](long long k) {
        return x.load(here, 1, {k == first_bad ? -1 : k == 63 ? 600 : 0});
      });
    };
  };

  EXPECT_FALSE(breaks(700, sum_of(62)));
  EXPECT_TRUE(breaks(700, sum_of(64)));
}

TEST_P(WatchedSweep, NothingIsLeftOverWhenTheTagsOfSweepsStartAnew) {
  const auto store_own = [](const View& x, Here& here, long long i) { x.store(here, 0, {i}, 2.0); };
  const auto read_all = [](const View& x, Here& here, long long i) { x.load(here, 0, {i}); };
  EXPECT_FALSE(breaks(700, store_own));
  shadow()->sweeps = sweep_tags - 1;

  EXPECT_FALSE(breaks(350, read_all));

  EXPECT_EQ(shadow()->sweeps, 0u);
  // The tag of the first sweep comes again; its stores by other indices are forgotten.
  EXPECT_FALSE(breaks(
      700, [](const View& x, Here& here, long long i) { x.load(here, 0, {elements - 1 - i}); }));
}

INSTANTIATE_TEST_SUITE_P(Orders, WatchedSweep, ::testing::Bool(), [](const auto& backwards) {
  return backwards.param ? "Backwards" : "Forwards";
});

}  // namespace
}  // namespace gyre
