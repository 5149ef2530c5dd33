/// Every .gyre file of the suite on the executors of a GPU, where there is one.
#include "gyre/executors/gpu.hpp"
#include "support/conformance_suite.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::support {
namespace {

using Flag = executors::HostBranchOptions::Flag;
using Form = executors::PersistentOptions::Form;

// One launch, and no host in between.
class Unattended final : public executors::Executor {
 public:
  explicit Unattended(std::unique_ptr<Executor> executor) : executor_(std::move(executor)) {}

  std::string_view name() const override { return executor_->name(); }
  ir::Outcome run(const ir::Bound& bound, const ir::RunOptions& options) override {
    ir::Outcome outcome = executor_->run(bound, options);
    if (outcome.host_syncs != 0) throw std::runtime_error("the host waited within a launch");
    return outcome;
  }

 private:
  std::unique_ptr<Executor> executor_;
};

Way device_graph(const std::string& name, bool checked,
                 const executors::DeviceGraphOptions& options) {
  return on_executor("DeviceGraph" + name, checked,
                     [options](std::shared_ptr<const plan::Plan> plan) {
                       return std::make_unique<Unattended>(
                           executors::make_device_graph_executor(std::move(plan), options));
                     });
}

Way persistent(const std::string& name, executors::PersistentOptions::Form form) {
  return on_executor("Persistent" + name, false, [form](std::shared_ptr<const plan::Plan> plan) {
    return std::make_unique<Unattended>(
        executors::make_persistent_executor(std::move(plan), {form}));
  });
}

Way host_branch(const std::string& name, bool checked,
                const executors::HostBranchOptions& options) {
  return on_executor("HostBranch" + name, checked,
                     [options](std::shared_ptr<const plan::Plan> plan) {
                       return executors::make_host_branch_executor(std::move(plan), options);
                     });
}

std::vector<Way> ways() {
  if (!executors::why_no_device_graph().empty()) return {};
  return {
      device_graph("", false, {}),
      device_graph("Checked", true, {}),
      device_graph("OfNodes", false, {.predication = false, .trips_per_body = 1, .trips_ahead = 0}),
      device_graph("OfGuards", false, {.predication = true, .trips_per_body = 3, .trips_ahead = 2}),
      device_graph("OfGuardsChecked", true,
                   {.predication = true, .trips_per_body = 2, .trips_ahead = 1}),
      device_graph("WithoutSwitchNodes", false, {.switch_nodes = false, .predication = false}),
      device_graph("WithoutSwitchNodesChecked", true, {.switch_nodes = false}),
      persistent("", Form::Automatic),
      persistent("Block", Form::Block),
      persistent("Cluster", Form::Cluster),
      persistent("Grid", Form::Grid),
      host_branch("Pageable", false, {Flag::Pageable, false}),
      host_branch("Pinned", false, {Flag::Pinned, false}),
      host_branch("Polled", false, {Flag::Polled, false}),
      host_branch("PolledChecked", true, {Flag::Polled, false}),
      host_branch("PageableSegments", false, {Flag::Pageable, true}),
      host_branch("PinnedSegments", false, {Flag::Pinned, true}),
      host_branch("PolledSegments", false, {Flag::Polled, true}),
      host_branch("PageableSegmentsChecked", true, {Flag::Pageable, true}),
      host_branch("EveryThirdTrip", false, {Flag::Polled, true, 3}),
      host_branch("EverySeventhTripChecked", true, {Flag::Pinned, false, 7}),
  };
}

const bool added = add_conformance_tests(ways());

TEST(ConformanceOnAGpu, RunsWhereThereIsOne) {
  const std::string reason = executors::why_no_device_graph();
  if (!reason.empty()) GTEST_SKIP() << reason;
  EXPECT_TRUE(added);
}

}  // namespace
}  // namespace gyre::support
