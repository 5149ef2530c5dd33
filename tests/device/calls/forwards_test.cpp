// Forwards with branches whose layers are calls, against plain C++: kernels of one's own under a
// guard, and cuBLASLt.
//
// Both add up in another order than plain code, so that what they give is compared within 1e-4, and
// decisions only where plain code is further than that from deciding otherwise.
#include "call_test.hpp"
#include "forwards/cascade.hpp"
#include "forwards/dense_calls.hpp"
#include "forwards/early_exit.hpp"
#include "forwards/mixture.hpp"

#include <algorithm>
#include <cmath>

namespace gyre {
namespace {

constexpr float tolerance = 1e-4F;
constexpr std::int64_t batch = 64;
constexpr std::uint64_t batches = 40;

struct Form {
  const char* name;
  const char* executor;
  bool in_library;

  friend void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }
};

class ForwardsOfCalls : public testing::TestWithParam<Form> {
 protected:
  void SetUp() override {
    const std::string reason = executors::why_no_device_graph();
    if (!reason.empty()) GTEST_SKIP() << reason;
    if (GetParam().in_library) {
      dense_ = forwards::make_dense_in_library(std::make_shared<forwards::DenseLibrary>());
    }
  }

  static Executable compile_here(ir::Program program) {
    return compile(std::move(program), {.executor = GetParam().executor});
  }

  forwards::DenseForm dense_ = forwards::dense_in_guarded_kernel;
};

std::vector<float> row_of(const std::vector<float>& x, std::size_t width, std::size_t r) {
  return {x.data() + r * width, x.data() + (r + 1) * width};
}

TEST_P(ForwardsOfCalls, LeaveEarly) {
  const forwards::EarlyExitModel model({.blocks = 5, .width = 40, .classes = 6}, 1);
  Executable early_exit =
      compile_here(forwards::early_exit_program({.blocks = 5, .dense = dense_, .nested = true}));
  bind_weights(early_exit, model);
  std::vector<std::size_t> leave_after(model.blocks);
  std::size_t near = 0;
  for (std::uint64_t seed = 0; seed < batches; ++seed) {
    const auto x = forwards::make_values(seed, batch * model.width);
    std::vector<std::int32_t> label(batch);
    std::vector<std::int32_t> left_after(batch);
    early_exit.bind("x", x, {batch, static_cast<std::int64_t>(model.width)});
    early_exit.bind("label", label);
    early_exit.bind("left_after", left_after);
    ASSERT_TRUE(early_exit.run().completed());

    for (std::size_t r = 0; r < batch; ++r) {
      const auto expected = forwards::plain::early_exit(model, row_of(x, model.width, r));
      if (expected.slack <= tolerance) {
        ++near;
        continue;
      }
      ASSERT_EQ(label[r], expected.label);
      ASSERT_EQ(left_after[r], expected.left_after);
      ++leave_after[static_cast<std::size_t>(left_after[r])];
    }
  }

  for (const std::size_t rows : leave_after) EXPECT_GT(rows, 20U);
  EXPECT_LT(near, batch * batches / 100);
}

TEST_P(ForwardsOfCalls, MixExperts) {
  const forwards::MixtureModel model({.experts = 5, .width = 20, .hidden = 36}, 11);
  for (const auto routing : {forwards::Routing::Switch, forwards::Routing::Grouped}) {
    Executable mixture = compile_here(
        forwards::mixture_program({.experts = 5, .routing = routing, .dense = dense_}));
    bind_weights(mixture, model);
    std::vector<std::size_t> rows_of(model.experts);
    for (std::uint64_t seed = 0; seed < batches; ++seed) {
      const auto x = forwards::make_values(seed, batch * model.width);
      std::vector<float> y(x.size());
      std::vector<std::int32_t> expert(batch);
      mixture.bind("x", x, {batch, static_cast<std::int64_t>(model.width)});
      mixture.bind("y", y, {batch, static_cast<std::int64_t>(model.width)});
      mixture.bind("expert", expert);
      ASSERT_TRUE(mixture.run().completed());

      for (std::size_t r = 0; r < batch; ++r) {
        const auto row = row_of(x, model.width, r);
        const auto sent_to = static_cast<std::size_t>(expert[r]);
        if (routing == forwards::Routing::Grouped) {
          const auto scores = forwards::plain::scores(model, row);
          ASSERT_GE(scores[sent_to], scores[forwards::plain::largest(scores)] - tolerance);
        }
        const auto expected = forwards::plain::ask_expert(model, sent_to, row);
        for (std::size_t k = 0; k < model.width; ++k) {
          ASSERT_NEAR(y[r * model.width + k], expected[k], tolerance);
        }
        ++rows_of[sent_to];
      }
    }
    const std::size_t least = routing == forwards::Routing::Grouped ? 20 : 1;
    for (const std::size_t rows : rows_of) EXPECT_GE(rows, least);
  }
}

TEST_P(ForwardsOfCalls, Cascade) {
  forwards::CascadeModel model({.depth = 3, .width = 32, .narrow = 16, .classes = 7}, 21);
  model.threshold = 0.8F;
  Executable cascade = compile_here(forwards::cascade_program({.depth = 3, .dense = dense_}));
  bind_weights(cascade, model);
  std::vector<std::size_t> arms(2);
  for (std::uint64_t seed = 0; seed < 10 * batches; ++seed) {
    const std::int64_t rows = seed % 2 == 0 ? 1 : 16;
    const auto x = forwards::make_values(seed, static_cast<std::size_t>(rows) * model.width);
    std::vector<std::int32_t> label(static_cast<std::size_t>(rows));
    std::vector<std::int32_t> fired(label.size());
    cascade.bind("x", x, {rows, static_cast<std::int64_t>(model.width)});
    cascade.bind("label", label);
    cascade.bind("fired", fired);
    const Result result = cascade.run();
    ASSERT_TRUE(result.completed());

    for (std::size_t r = 0; r < label.size(); ++r) {
      const auto row = row_of(x, model.width, r);
      if (std::abs(forwards::plain::detect(model, row) - model.threshold) <= tolerance) continue;
      ASSERT_EQ(label[r], forwards::plain::cascade(model, row));
    }
    ++arms[result.arms("cascade/if#0")[0] == 1 ? 0 : 1];
  }

  for (const std::size_t launches : arms) EXPECT_GT(launches, 20U);
}

std::string form_name(const testing::TestParamInfo<Form>& of) {
  return of.param.name;
}

INSTANTIATE_TEST_SUITE_P(Calls, ForwardsOfCalls,
                         testing::Values(Form{"graph_kernel", "device_graph", false},
                                         Form{"graph_library", "device_graph", true},
                                         Form{"host_kernel", "host_branch", false},
                                         Form{"host_library", "host_branch", true}),
                         form_name);

}  // namespace
}  // namespace gyre
