// A classifier that leaves early, on every executor against plain C++.
#include "forwards/early_exit.hpp"

#include "forward_test.hpp"

#include <numeric>
#include <set>

namespace forwards {
namespace {

// Not a power of two, and long enough for folds of several strands.
const EarlyExitModel early_exit_model({.blocks = 5, .width = 37, .classes = 6}, 1);

class EarlyExits : public OnEachExecutor {
 protected:
  static gyre::Executable make(bool nested) {
    auto early_exit = compile_here(early_exit_program(
        {.blocks = static_cast<int>(early_exit_model.blocks), .nested = nested}));
    bind_weights(early_exit, early_exit_model);
    return early_exit;
  }

  // Compares what becomes of each row, and counts behind which block rows leave.
  static void compare(gyre::Executable& early_exit, const RowBatch& batch,
                      std::vector<std::size_t>& leave_after) {
    std::vector<std::int32_t> label(batch.rows());
    std::vector<std::int32_t> left_after(batch.rows());
    batch.bind(early_exit);
    early_exit.bind("label", label);
    early_exit.bind("left_after", left_after);
    const gyre::Result result = early_exit.run();

    ASSERT_TRUE(result.completed()) << result.describe();
    std::int32_t last = 0;
    for (std::size_t r = 0; r < batch.rows(); ++r) {
      const EarlyAnswer expected = plain::early_exit(early_exit_model, batch.row(r));
      ASSERT_EQ(label[r], expected.label);
      ASSERT_EQ(left_after[r], expected.left_after);
      last = std::max(last, expected.left_after);
      ++leave_after[static_cast<std::size_t>(expected.left_after)];
    }
    ASSERT_EQ(result.get<std::int32_t>("blocks_run"), last + 1);
  }

  static void compare_all(bool nested) {
    auto early_exit = make(nested);
    std::vector<std::size_t> leave_after(early_exit_model.blocks);
    for (const RowBatch& batch : make_batches(early_exit_model.width)) {
      compare(early_exit, batch, leave_after);
      if (HasFatalFailure()) return;
    }
    for (const std::size_t rows : leave_after) EXPECT_GE(rows, at_least(20));
  }
};

TEST_P(EarlyExits, OfALoopHaveTheBitsOfPlainCode) {
  compare_all(false);
}

TEST_P(EarlyExits, OfNestedBranchesHaveTheBitsOfPlainCode) {
  compare_all(true);
}

TEST_P(EarlyExits, LeaveABatchWithItsLastRow) {
  auto early_exit = make(false);
  std::set<std::uint64_t> trips;
  for (const RowBatch& batch : make_batches(early_exit_model.width)) {
    std::vector<std::int32_t> label(batch.rows());
    std::vector<std::int32_t> left_after(batch.rows());
    batch.bind(early_exit);
    early_exit.bind("label", label);
    early_exit.bind("left_after", left_after);
    const gyre::Result result = early_exit.run();

    const auto last = *std::max_element(left_after.begin(), left_after.end());
    ASSERT_EQ(result.trips("early_exit/while#0"), static_cast<std::uint64_t>(last));
    trips.insert(result.trips("early_exit/while#0"));
  }

  EXPECT_EQ(trips, (std::set<std::uint64_t>{0, 1, 2, 3, 4}));
}

INSTANTIATE_TEST_SUITE_P(Executors, EarlyExits, each_executor(), setting_name);

TEST(EarlyExit, OfOneBlockRunsThatBlock) {
  const EarlyExitModel single({.blocks = 1, .width = 8, .classes = 3}, 7);
  for (const bool nested : {false, true}) {
    auto early_exit =
        gyre::compile(early_exit_program({.blocks = 1, .nested = nested}), {.executor = "cpu"});
    bind_weights(early_exit, single);
    const RowBatch batch(3, 20, single.width);
    std::vector<std::int32_t> label(20);
    std::vector<std::int32_t> left_after(20, -5);
    batch.bind(early_exit);
    early_exit.bind("label", label);
    early_exit.bind("left_after", left_after);

    ASSERT_TRUE(early_exit.run().completed());

    EXPECT_EQ(left_after, std::vector<std::int32_t>(20, 0));
    for (std::size_t r = 0; r < 20; ++r) {
      EXPECT_EQ(label[r], plain::early_exit(single, batch.row(r)).label);
    }
  }
}

}  // namespace
}  // namespace forwards
