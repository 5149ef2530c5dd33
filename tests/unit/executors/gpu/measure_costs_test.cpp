#include "gyre/executors/measure_costs.hpp"

#include "gyre/base/error.hpp"
#include "gyre/executors/gpu.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

TEST(MeasureCosts, SaysInOneSentenceWhyAMachineCannot) {
  const std::string reason = why_no_device_graph();
  if (reason.empty()) GTEST_SKIP() << "this machine has a GPU with conditional nodes";

  try {
    measure_costs();
    FAIL() << "measured without a GPU";
  } catch (const EnvironmentError& error) {
    EXPECT_EQ(error.what(), "costs cannot be measured here: " + reason);
  }
}

}  // namespace
}  // namespace gyre::executors
