#include "gyre/executors/make_executor.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "gyre/executors/refused_call.hpp"
#include "gyre/plan/plan.hpp"
#include "support/environment_variable.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

using support::EnvironmentVariable;
using testing::ElementsAre;
using testing::HasSubstr;

using PlanPointer = std::shared_ptr<const plan::Plan>;

class FakeExecutor final : public Executor {
 public:
  explicit FakeExecutor(std::string_view name) : name_(name) {}

  std::string_view name() const override { return name_; }
  void prepare(const ir::Bound&, const ir::RunOptions&) override {
    if (on_prepare) on_prepare();
  }
  ir::Outcome run(const ir::Bound&, const ir::RunOptions&) override {
    ran.emplace_back(name_);
    if (on_run) on_run();
    return {};
  }

  /// What every one of them meets.
  static inline std::function<void()> on_prepare;
  static inline std::function<void()> on_run;
  static inline std::vector<std::string> ran;

 private:
  std::string_view name_;
};

std::string here() {
  return {};
}
std::string no_driver() {
  return "there is no driver";
}
std::string old_driver() {
  return "the driver is too old";
}
bool yes() {
  return true;
}
bool no() {
  return false;
}

std::unique_ptr<Executor> make_device_graph(PlanPointer, const ExecutorOptions&) {
  return std::make_unique<FakeExecutor>("device_graph");
}
std::unique_ptr<Executor> make_host_branch(PlanPointer, const ExecutorOptions&) {
  return std::make_unique<FakeExecutor>("host_branch");
}
std::unique_ptr<Executor> fail_to_compile(PlanPointer plan, const ExecutorOptions&) {
  throw EnvironmentError("compiling the kernels of " + plan->name + ": no compiler");
}
std::unique_ptr<Executor> fail_to_load(PlanPointer plan, const ExecutorOptions&) {
  throw EnvironmentError("loading the kernels of " + plan->name + ": wrong binary");
}
std::unique_ptr<Executor> blame_the_caller(PlanPointer, const ExecutorOptions&) {
  throw UsageError("the call 'spmv' uses the default stream");
}
std::unique_ptr<Executor> blame_gyre(PlanPointer, const ExecutorOptions&) {
  throw InternalError("the generated source is wrong");
}

// One whose graphs cannot be built.
class FakeGraphs final : public Executor {
 public:
  std::string_view name() const override { return "device_graph"; }
  void prepare(const ir::Bound&, const ir::RunOptions&) override {
    throw RefusedCall("the call 'work' allocates memory");
  }
  ir::Outcome run(const ir::Bound&, const ir::RunOptions&) override { return {}; }
};
std::unique_ptr<Executor> make_graphs_that_fail(PlanPointer, const ExecutorOptions&) {
  return std::make_unique<FakeGraphs>();
}

// `device_graph` and `host_branch` are the test's while it runs, and so is the log.
class ChoosingAnExecutor : public testing::Test {
 protected:
  struct Line {
    log::Level level;
    std::string text;
  };

  ChoosingAnExecutor() {
    // A GPU's other executor would come between them.
    offer({"persistent", +[] { return std::string("the test leaves it out"); }});
    log::set_level(log::Level::Info);
    log::set_sink([this](log::Level level, std::string_view line) {
      lines_.push_back({level, std::string(line)});
    });
  }
  ~ChoosingAnExecutor() override {
    FakeExecutor::on_prepare = nullptr;
    FakeExecutor::on_run = nullptr;
    FakeExecutor::ran.clear();
    log::set_sink({});
    log::set_level(log::Level::Warn);
    for (const ExecutorEntry& entry : before_) offer_executor(entry);
  }

  void offer(const ExecutorEntry& entry) { before_.insert(before_.begin(), offer_executor(entry)); }

  // The name of what is made of a plan that no other test has: each is told of anew.
  static std::unique_ptr<Executor> make(const std::string& name = "auto") {
    auto plan = std::make_shared<plan::Plan>();
    plan->name = testing::UnitTest::GetInstance()->current_test_info()->name();
    return make_executor(plan, {.name = name});
  }
  static std::string made(const std::string& name = "auto") {
    return std::string(make(name)->name());
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> texts;
    for (const Line& line : lines_) {
      if (line.level == log::Level::Warn) texts.push_back(line.text);
    }
    return texts;
  }

  std::vector<Line> lines_;

 private:
  // Without a choice of the user's, whatever the test was started with.
  EnvironmentVariable unset_{"GYRE_EXECUTOR", ""};
  std::vector<ExecutorEntry> before_;
};

TEST_F(ChoosingAnExecutor, AutoTakesTheFirstThatIsThereAndSaysNothing) {
  offer({"device_graph", here, make_device_graph, no});
  offer({"host_branch", here, make_host_branch, no});

  EXPECT_EQ(made(), "device_graph");
  EXPECT_TRUE(lines_.empty());
}

TEST_F(ChoosingAnExecutor, AutoFallsBackWhereMakingFailsAndSaysWhyInOneWarning) {
  offer({"device_graph", here, fail_to_compile, no});
  offer({"host_branch", here, make_host_branch, no});

  EXPECT_EQ(made(), "host_branch");
  EXPECT_THAT(warnings(),
              ElementsAre("running on host_branch; not on device_graph: compiling the kernels of "
                          "AutoFallsBackWhereMakingFailsAndSaysWhyInOneWarning: no compiler"));
  EXPECT_EQ(lines_.size(), 1U);
}

TEST_F(ChoosingAnExecutor, AutoFallsBackTwiceInOneLine) {
  offer({"device_graph", here, fail_to_compile, no});
  offer({"host_branch", here, fail_to_load, no});

  EXPECT_EQ(made(), "cpu");
  EXPECT_THAT(warnings(),
              ElementsAre("running on cpu; not on device_graph: compiling the kernels of "
                          "AutoFallsBackTwiceInOneLine: no compiler; not on host_branch: loading "
                          "the kernels of AutoFallsBackTwiceInOneLine: wrong binary"));
}

TEST_F(ChoosingAnExecutor, OneReasonOfTwoIsSaidOnce) {
  offer({"device_graph", here, fail_to_compile, no});
  offer({"host_branch", here, fail_to_compile, no});

  EXPECT_EQ(made(), "cpu");
  EXPECT_THAT(warnings(), ElementsAre("running on cpu; not on device_graph and host_branch: "
                                      "compiling the kernels of OneReasonOfTwoIsSaidOnce: no "
                                      "compiler"));
}

TEST_F(ChoosingAnExecutor, TheSameReasonIsLoggedOnceAProcess) {
  offer({"device_graph", here, fail_to_load, no});
  offer({"host_branch", here, make_host_branch, no});

  EXPECT_EQ(made(), "host_branch");
  EXPECT_EQ(made(), "host_branch");

  EXPECT_EQ(lines_.size(), 1U);
}

TEST_F(ChoosingAnExecutor, AnotherReasonIsLoggedAgain) {
  offer({"host_branch", here, make_host_branch, no});
  offer({"device_graph", here, fail_to_load, no});
  made();
  offer({"device_graph", here, fail_to_compile, no});
  made();

  EXPECT_EQ(warnings().size(), 2U);
}

TEST_F(ChoosingAnExecutor, AutoGivesWayWhereItsFirstRunCannotBePrepared) {
  offer({"device_graph", here, make_graphs_that_fail, no});
  offer({"host_branch", here, make_host_branch, no});
  const auto executor = make();

  executor->run({}, {});
  executor->run({}, {});

  EXPECT_EQ(executor->name(), "host_branch");
  EXPECT_THAT(FakeExecutor::ran, ElementsAre("host_branch", "host_branch"));
  EXPECT_THAT(warnings(), ElementsAre("running on host_branch; not on device_graph: the call "
                                      "'work' allocates memory"));
}

TEST_F(ChoosingAnExecutor, AutoThrowsWhatStopsTheLastOneOfAGpu) {
  offer({"device_graph", here, make_graphs_that_fail, no});
  offer({"host_branch", here, make_host_branch, no});
  FakeExecutor::on_prepare = [] { throw EnvironmentError("no memory is left"); };
  const auto executor = make();

  EXPECT_THROW(executor->prepare({}, {}), EnvironmentError);

  EXPECT_TRUE(FakeExecutor::ran.empty());
}

TEST_F(ChoosingAnExecutor, WhatFailsWhileItRunsIsNotRunAgainElsewhere) {
  offer({"device_graph", here, make_device_graph, no});
  offer({"host_branch", here, make_host_branch, no});
  FakeExecutor::on_run = [] { throw EnvironmentError("an illegal address"); };
  const auto executor = make();

  EXPECT_THROW(executor->run({}, {}), EnvironmentError);

  EXPECT_THAT(FakeExecutor::ran, ElementsAre("device_graph"));
  EXPECT_TRUE(lines_.empty());
}

TEST_F(ChoosingAnExecutor, OneThatIsNamedDoesNotGiveWay) {
  offer({"device_graph", here, make_graphs_that_fail, no});
  offer({"host_branch", here, make_host_branch, no});

  EXPECT_THROW(make("device_graph")->prepare({}, {}), RefusedCall);
}

TEST_F(ChoosingAnExecutor, AMachineWithoutGpuIsNoWarning) {
  const auto why_not = +[] { return std::string("there is no driver here"); };
  offer({"device_graph", why_not, make_device_graph, yes});
  offer({"host_branch", why_not, make_host_branch, yes});

  EXPECT_EQ(made(), "cpu");
  EXPECT_EQ(made(), "cpu");

  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_EQ(lines_[0].level, log::Level::Info);
  EXPECT_EQ(lines_[0].text,
            "running on cpu; not on device_graph and host_branch: there is no driver here");
}

TEST_F(ChoosingAnExecutor, AGpuThatIsOfNoUseIsAWarning) {
  offer({"device_graph", old_driver, make_device_graph, no});
  offer({"host_branch", here, make_host_branch, no});

  EXPECT_EQ(made(), "host_branch");
  EXPECT_THAT(warnings(),
              ElementsAre("running on host_branch; not on device_graph: the driver is too old"));
}

TEST_F(ChoosingAnExecutor, TheCallersMistakeNeverFallsBack) {
  offer({"device_graph", here, blame_the_caller, no});
  offer({"host_branch", here, make_host_branch, no});

  EXPECT_THROW(made(), UsageError);
  EXPECT_TRUE(lines_.empty());
}

TEST_F(ChoosingAnExecutor, GyresOwnFaultNeverFallsBack) {
  offer({"device_graph", here, blame_gyre, no});
  offer({"host_branch", here, make_host_branch, no});

  EXPECT_THROW(made(), InternalError);
}

TEST_F(ChoosingAnExecutor, AnExecutorAskedForByNameFailsWithWhatWasThrown) {
  offer({"device_graph", here, fail_to_compile, no});
  offer({"host_branch", here, make_host_branch, no});

  EXPECT_THROW(
      try { made("device_graph"); } catch (const EnvironmentError& error) {
        EXPECT_THAT(error.what(), HasSubstr("no compiler"));
        throw;
      },
      EnvironmentError);
  EXPECT_TRUE(lines_.empty());
}

TEST_F(ChoosingAnExecutor, SoDoesOneThatTheEnvironmentNames) {
  offer({"device_graph", here, fail_to_compile, no});
  offer({"host_branch", here, make_host_branch, no});
  const EnvironmentVariable asked("GYRE_EXECUTOR", "device_graph");

  EXPECT_THROW(made(), EnvironmentError);
}

TEST_F(ChoosingAnExecutor, ANameThatIsNotHereIsRefusedWithItsReasonAndWhatIsHere) {
  offer({"device_graph", no_driver, make_device_graph, yes});
  offer({"host_branch", here, make_host_branch, no});

  std::string message;
  try {
    made("device_graph");
  } catch (const UsageError& error) {
    message = error.what();
  }

  EXPECT_EQ(message,
            "executor 'device_graph' is not available: there is no driver (this machine has: "
            "host_branch, cpu)");
}

TEST_F(ChoosingAnExecutor, WhatIsAvailableIsToldWithTheSameReason) {
  offer({"persistent", no_driver, make_device_graph, yes});

  const ExecutorInfo first = available_executors().front();

  EXPECT_EQ(first.name, "persistent");
  EXPECT_FALSE(first.available);
  EXPECT_EQ(first.reason, "there is no driver");
}

TEST_F(ChoosingAnExecutor, OfferingGivesBackWhatWasThere) {
  offer({"device_graph", old_driver, make_device_graph, no});

  const ExecutorEntry before = offer_executor({"device_graph", here, make_device_graph, no});

  EXPECT_EQ(before.why_not, &old_driver);
  EXPECT_EQ(offer_executor(before).why_not, &here);
}

TEST_F(ChoosingAnExecutor, OnlyNamesOfTheTableAreOffered) {
  EXPECT_THROW(offer_executor({"abacus", here, make_device_graph, no}), InternalError);
}

}  // namespace
}  // namespace gyre::executors
