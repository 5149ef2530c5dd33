#include "gyre/executors/measure_costs.hpp"

#include "gyre/executors/gpu.hpp"

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

// What numbers come of it is a matter of the machine; that there are some, of every kind, is not.
TEST(MeasureCosts, GivesATableThatCanBeKept) {
  if (const auto reason = why_no_device_graph(); !reason.empty()) GTEST_SKIP() << reason;

  const plan::CostTable table = measure_costs({.items = 2, .seconds_each = 0});

  EXPECT_FALSE(table.device.empty());
  EXPECT_GT(table.graph_kernel, 0);
  EXPECT_GT(table.launch_and_wait, 0);
  EXPECT_GT(table.bytes_per_microsecond, 0);
  const auto kept = plan::parse_cost_table(plan::print_cost_table(table), "what was measured");
  EXPECT_EQ(kept.device, table.device);
}

}  // namespace
}  // namespace gyre::executors
