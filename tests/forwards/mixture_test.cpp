// A mixture of experts, on every executor against plain C++.
#include "forwards/mixture.hpp"

#include "forward_test.hpp"

namespace forwards {
namespace {

const MixtureModel mixture_model({.experts = 5, .width = 21, .hidden = 34}, 11);

struct Sent {
  std::vector<float> y;
  std::vector<std::int32_t> expert;
};

class Mixtures : public OnEachExecutor {
 protected:
  static gyre::Executable make(Routing routing) {
    auto mixture = compile_here(
        mixture_program({.experts = static_cast<int>(mixture_model.experts), .routing = routing}));
    bind_weights(mixture, mixture_model);
    return mixture;
  }

  static gyre::Result run(gyre::Executable& mixture, const RowBatch& batch, Sent& sent) {
    sent.y.assign(batch.rows() * mixture_model.width, -9);
    sent.expert.assign(batch.rows(), -9);
    batch.bind(mixture);
    mixture.bind(
        "y", sent.y,
        {static_cast<std::int64_t>(batch.rows()), static_cast<std::int64_t>(mixture_model.width)});
    mixture.bind("expert", sent.expert);
    return mixture.run();
  }

  // What plain code makes of a batch whose row r goes to `expert_of(r)`.
  template <class ExpertOf>
  static Sent plain_code(const RowBatch& batch, const ExpertOf& expert_of) {
    Sent sent;
    for (std::size_t r = 0; r < batch.rows(); ++r) {
      const std::size_t expert = expert_of(r);
      const auto y = plain::ask_expert(mixture_model, expert, batch.row(r));
      sent.y.insert(sent.y.end(), y.begin(), y.end());
      sent.expert.push_back(static_cast<std::int32_t>(expert));
    }
    return sent;
  }

  // Each row by its own gate, in whatever form.
  static void compare_rows(Routing routing) {
    auto mixture = make(routing);
    std::vector<std::size_t> rows_of(mixture_model.experts);
    for (const RowBatch& batch : make_batches(mixture_model.width)) {
      Sent sent;
      const gyre::Result result = run(mixture, batch, sent);
      const Sent expected = plain_code(
          batch, [&](std::size_t r) { return plain::expert_of_row(mixture_model, batch.row(r)); });

      ASSERT_TRUE(result.completed());
      ASSERT_EQ(sent.expert, expected.expert);
      ASSERT_EQ(sent.y, expected.y);
      for (const std::int32_t expert : sent.expert) ++rows_of[static_cast<std::size_t>(expert)];
    }
    for (const std::size_t rows : rows_of) EXPECT_GE(rows, at_least(100));
  }
};

TEST_P(Mixtures, BySwitchHaveTheBitsOfPlainCode) {
  auto mixture = make(Routing::Switch);
  std::vector<std::size_t> batches_of(mixture_model.experts);
  for (const RowBatch& batch : make_batches(mixture_model.width)) {
    std::vector<std::vector<float>> rows;
    for (std::size_t r = 0; r < batch.rows(); ++r) rows.push_back(batch.row(r));
    const std::size_t chosen = plain::expert_of_batch(mixture_model, rows);
    Sent sent;
    const gyre::Result result = run(mixture, batch, sent);
    const Sent expected = plain_code(batch, [&](std::size_t) { return chosen; });

    ASSERT_TRUE(result.completed());
    ASSERT_EQ(sent.expert, expected.expert);
    ASSERT_EQ(sent.y, expected.y);
    ASSERT_EQ(result.arms("mixture/switch#0")[chosen], 1U);
    ++batches_of[chosen];
  }

  for (const std::size_t batches : batches_of) EXPECT_GE(batches, at_least(5));
}

TEST_P(Mixtures, ByGroupsHaveTheBitsOfPlainCode) {
  compare_rows(Routing::Grouped);
}

TEST_P(Mixtures, ByIndexHaveTheBitsOfPlainCode) {
  compare_rows(Routing::Indexed);
}

TEST_P(Mixtures, ByGroupsRunOnlyExpertsThatSomeRowWants) {
  auto mixture = make(Routing::Grouped);
  std::size_t idle = 0;
  for (const RowBatch& batch : make_batches(mixture_model.width)) {
    Sent sent;
    const gyre::Result result = run(mixture, batch, sent);
    for (std::size_t e = 0; e < mixture_model.experts; ++e) {
      const bool is_wanted = std::count(sent.expert.begin(), sent.expert.end(), e) > 0;
      const auto& arms = result.arms("mixture/if#" + std::to_string(e));
      ASSERT_EQ(arms[0], is_wanted ? 1U : 0U) << "expert " << e;
      idle += !is_wanted;
    }
  }

  EXPECT_GE(idle, at_least(500));
}

INSTANTIATE_TEST_SUITE_P(Executors, Mixtures, each_executor(), setting_name);

}  // namespace
}  // namespace forwards
