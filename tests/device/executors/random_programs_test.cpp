/// Random programs on the GPU executors, bit for bit what `interpret` says.
///
/// Compiling dominates, so that the programs of a run are shared out among all cores.
#include "gyre/executors/gpu.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/ir/interpret.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/printer.hpp"
#include "support/property_run.hpp"
#include "support/random_program.hpp"
#include "support/random_steps.hpp"
#include "support/same_run.hpp"
#include "support/shrink.hpp"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::support {
namespace {

using MakeExecutor =
    std::function<std::unique_ptr<executors::Executor>(std::shared_ptr<const plan::Plan>)>;

struct Way {
  std::string name;
  MakeExecutor make;
  bool checked = true;
  /// Each program's plan is made by some steps only.
  bool some_steps = false;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}

std::unique_ptr<executors::Executor> host_branch(std::shared_ptr<const plan::Plan> plan,
                                                 executors::HostBranchOptions::Flag flag,
                                                 bool segments, unsigned check_every = 1) {
  return executors::make_host_branch_executor(std::move(plan), {flag, segments, check_every});
}

std::unique_ptr<executors::Executor> persistent(std::shared_ptr<const plan::Plan> plan,
                                                executors::PersistentOptions::Form form) {
  return executors::make_persistent_executor(std::move(plan), {form});
}

std::vector<Way> ways() {
  using Flag = executors::HostBranchOptions::Flag;
  using Form = executors::PersistentOptions::Form;
  return {
      {"DeviceGraph", [](auto plan) { return executors::make_device_graph_executor(plan); }},
      {"DeviceGraphUnchecked",
       [](auto plan) { return executors::make_device_graph_executor(plan); }, false},
      {"DeviceGraphWithoutSwitchNodes",
       [](auto plan) {
         return executors::make_device_graph_executor(plan, {.switch_nodes = false});
       }},
      {"DeviceGraphOfNodes",
       [](auto plan) {
         return executors::make_device_graph_executor(
             plan, {.predication = false, .trips_per_body = 1, .trips_ahead = 0});
       },
       false},
      {"DeviceGraphOfGuards",
       [](auto plan) {
         return executors::make_device_graph_executor(
             plan, {.predication = true, .trips_per_body = 3, .trips_ahead = 2});
       },
       false},
      {"DeviceGraphOfSomeSteps",
       [](auto plan) {
         return executors::make_device_graph_executor(plan,
                                                      {.predication = true, .trips_per_body = 2});
       },
       false, true},
      {"PersistentBlock", [](auto plan) { return persistent(plan, Form::Block); }, false},
      {"PersistentCluster", [](auto plan) { return persistent(plan, Form::Cluster); }, false},
      {"PersistentGrid", [](auto plan) { return persistent(plan, Form::Grid); }, false},
      {"HostBranchPolled", [](auto plan) { return host_branch(plan, Flag::Polled, false); }},
      {"HostBranchPinned", [](auto plan) { return host_branch(plan, Flag::Pinned, false); }},
      {"HostBranchPageableSegments",
       [](auto plan) { return host_branch(plan, Flag::Pageable, true); }},
      {"HostBranchEveryThirdTrip",
       [](auto plan) { return host_branch(plan, Flag::Polled, true, 3); }},
  };
}

// Twice: nothing of the first launch may be left over in the second.
::testing::AssertionResult agrees(const Way& way, std::uint64_t seed, const ir::Program& program,
                                  const OwnedArguments& start) {
  Run expected{{}, start};
  try {
    expected.outcome = interpret(program, expected.data.view(program), {.checked = true});
    // Without checks nobody answers for an index outside its buffer, or a broken promise.
    const bool is_defined = way.checked || (expected.outcome.fault != ir::FaultKind::OutOfBounds &&
                                            expected.outcome.fault != ir::FaultKind::BrokenPromise);
    if (!is_defined) return ::testing::AssertionSuccess();
    const auto plan = std::make_shared<const plan::Plan>(
        plan::make_plan(passes::run_passes(program),
                        way.some_steps ? random_steps(seed) : plan::steps_of_run(way.checked)));
    const auto executor = way.make(plan);
    for (int launch = 0; launch < 2; ++launch) {
      Run actual{{}, start};
      const ir::Bound bound = ir::resolve(plan->symbols, actual.data.view(program));
      actual.outcome = executor->run(bound, {.checked = way.checked});
      actual.outcome.host_syncs = expected.outcome.host_syncs;
      if (auto result = same_run(expected, actual); !result) return result;
    }
  } catch (const std::exception& error) {
    return ::testing::AssertionFailure() << "threw: " << error.what();
  }
  return ::testing::AssertionSuccess();
}

class RandomProgramsOnTheGpu : public ::testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    const std::string reason = executors::why_no_device_graph();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
};

TEST_P(RandomProgramsOnTheGpu, RunAsInterpretSays) {
  const Way& way = GetParam();
  const std::uint64_t first = number_from("GYRE_PROPERTY_SEED", 1);
  const std::uint64_t count = number_from("GYRE_PROPERTY_COUNT", 2000);
  std::cout << "GYRE_PROPERTY_SEED=" << first << " GYRE_PROPERTY_COUNT=" << count << '\n';
  std::atomic<std::uint64_t> next = 0;
  std::atomic<int> failures = 0;
  std::mutex mutex;

  const auto work = [&] {
    for (std::uint64_t i = next++; i < count && failures < 5; i = next++) {
      const std::uint64_t seed = first + i;
      const RandomProgram made = random_program(seed);
      const auto result = agrees(way, seed, made.program, made.data);
      if (result) continue;
      ++failures;
      // Each step of shrinking compiles anew: only where it is asked for.
      const bool shrinks = std::getenv("GYRE_PROPERTY_SHRINK") != nullptr;
      const ir::Program small = shrinks ? shrink(made.program,
                                                 [&](const ir::Program& program) {
                                                   return !agrees(way, seed, program, made.data);
                                                 })
                                        : made.program;
      const std::string message = agrees(way, seed, small, made.data).message();
      const std::lock_guard lock(mutex);
      ADD_FAILURE() << way.name << ", seed " << seed << ": " << result.message()
                    << "\nsmallest known: " << message << "\n"
                    << text::print(small);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back(work);
  }
  for (std::thread& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Ways, RandomProgramsOnTheGpu, ::testing::ValuesIn(ways()),
                         [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace gyre::support
