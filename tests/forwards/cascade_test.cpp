// A gated cascade, on every executor against plain C++.
#include "forwards/cascade.hpp"

#include "forward_test.hpp"

namespace forwards {
namespace {

// With this threshold one row in five or so fires, so that many batches of five rows have none.
CascadeModel make_model() {
  CascadeModel made({.depth = 3, .width = 33, .narrow = 18, .classes = 7}, 21);
  made.threshold = 0.8F;
  return made;
}
const CascadeModel cascade_model = make_model();

class Cascades : public OnEachExecutor {
 protected:
  static gyre::Executable make() {
    auto cascade = compile_here(cascade_program({.depth = static_cast<int>(cascade_model.depth)}));
    bind_weights(cascade, cascade_model);
    return cascade;
  }
};

TEST_P(Cascades, HaveTheBitsOfPlainCode) {
  auto cascade = make();
  std::size_t rows_fired = 0;
  std::size_t rows_passed = 0;
  std::vector<std::size_t> batches_by_arm(2);
  for (const RowBatch& batch : make_batches(cascade_model.width)) {
    std::vector<std::int32_t> label(batch.rows());
    std::vector<std::int32_t> fired(batch.rows());
    batch.bind(cascade);
    cascade.bind("label", label);
    cascade.bind("fired", fired);
    const gyre::Result result = cascade.run();

    ASSERT_TRUE(result.completed());
    for (std::size_t r = 0; r < batch.rows(); ++r) {
      const std::int32_t expected = plain::cascade(cascade_model, batch.row(r));
      ASSERT_EQ(label[r], expected);
      ASSERT_EQ(fired[r], expected >= 0 ? 1 : 0);
      ++(expected >= 0 ? rows_fired : rows_passed);
    }
    const bool any_fired = std::count(fired.begin(), fired.end(), 1) > 0;
    ASSERT_EQ(result.arms("cascade/if#0")[0], any_fired ? 1U : 0U);
    ++batches_by_arm[any_fired ? 0 : 1];
  }

  EXPECT_GE(rows_fired, at_least(200));
  EXPECT_GE(rows_passed, at_least(1000));
  for (const std::size_t batches : batches_by_arm) EXPECT_GE(batches, at_least(50));
}

TEST_P(Cascades, FollowAThresholdThatChangesBetweenLaunches) {
  auto cascade = make();
  const RowBatch batch(99, 40, cascade_model.width);
  std::vector<std::int32_t> label(40);
  std::vector<std::int32_t> fired(40);
  batch.bind(cascade);
  cascade.bind("label", label);
  cascade.bind("fired", fired);
  CascadeModel moved = cascade_model;

  for (const float threshold : {1e9F, 0.0F, -1e9F, 1e9F}) {
    moved.threshold = threshold;
    cascade.set("threshold", threshold);
    ASSERT_TRUE(cascade.run().completed());

    for (std::size_t r = 0; r < 40; ++r) {
      EXPECT_EQ(label[r], plain::cascade(moved, batch.row(r))) << threshold;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Executors, Cascades, each_executor(), setting_name);

}  // namespace
}  // namespace forwards
