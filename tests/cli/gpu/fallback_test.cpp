#include "../command_test_fixture.hpp"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gyre::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Runs gyre where the driver is one that answers as the environment says.
class Fallback : public CommandTest {
 protected:
  Fallback() { write("count.gyre", "program count() { out k: i64; while k < 3 { k += 1 } }\n"); }

  Ran with_driver(const std::string& settings, const std::string& arguments) const {
    return gyre(arguments,
                "env -u GYRE_EXECUTOR -u GYRE_LOG GYRE_CACHE_MAX_MB=0 "
                "LD_LIBRARY_PATH='" GYRE_FAKE_DRIVER_FOLDER "' " +
                    settings);
  }
  Ran run_with_driver(const std::string& settings) const {
    return with_driver(settings, "run count.gyre --json");
  }
};

void expect_cpu_result(const Ran& ran) {
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("executor"), "cpu");
  EXPECT_EQ(json.at("scalars").at("k"), 3);
}

void expect_one_warning(const Ran& ran, const std::string& reason) {
  EXPECT_THAT(ran.err, StartsWith("gyre: warning: running on cpu; not on persistent, "
                                  "device_graph and host_branch: "));
  EXPECT_THAT(ran.err, HasSubstr(reason));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
}

TEST_F(Fallback, AMachineWithoutGpuRunsOnTheCpuAndSaysNothing) {
  const Ran ran = run_with_driver("GYRE_FAKE_DRIVER_INIT=100");

  expect_cpu_result(ran);
  EXPECT_EQ(ran.err, "");
}

TEST_F(Fallback, AMachineWithoutGpuSaysSoInOneLineToWhoeverAsks) {
  const Ran ran = run_with_driver("GYRE_LOG=info GYRE_FAKE_DRIVER_INIT=100");

  expect_cpu_result(ran);
  EXPECT_THAT(ran.err, HasSubstr("gyre: info: running on cpu; not on persistent, device_graph and "
                                 "host_branch: this machine has a CUDA driver but no GPU"));
  EXPECT_EQ(ran.err.find("running on"), ran.err.rfind("running on")) << ran.err;
}

TEST_F(Fallback, ADriverThatDoesNotStartIsOneWarning) {
  const Ran ran = run_with_driver("GYRE_FAKE_DRIVER_INIT=35");

  expect_cpu_result(ran);
  expect_one_warning(ran, "cuInit gave CUDA_ERROR_OF_THE_FAKE (35)");
}

TEST_F(Fallback, ADriverThatIsTooOldIsOneWarning) {
  const Ran ran = run_with_driver("GYRE_FAKE_DRIVER_VERSION=11080");

  expect_cpu_result(ran);
  expect_one_warning(ran, "knows CUDA 11.8, gyre needs 12.0");
}

TEST_F(Fallback, AGpuWithoutNvrtcIsOneWarning) {
  const Ran ran = run_with_driver("GYRE_FAKE_DRIVER_DEVICES=1 GYRE_NVRTC=libthere-is-none.so");

  expect_cpu_result(ran);
  expect_one_warning(ran, "no NVRTC, which compiles kernels (GYRE_NVRTC may name one)");
}

TEST_F(Fallback, AGpuThatRefusesTheKernelsIsOneWarning) {
  // CUDA_ERROR_NO_BINARY_FOR_GPU.
  const Ran ran = run_with_driver("GYRE_FAKE_DRIVER_DEVICES=1 GYRE_FAKE_DRIVER_MODULE=209");

  if (ran.err.find("no NVRTC") != std::string::npos) GTEST_SKIP() << ran.err;
  expect_cpu_result(ran);
  EXPECT_THAT(ran.err, StartsWith("gyre: warning: running on cpu; not on persistent"));
  EXPECT_THAT(ran.err, HasSubstr("(209)"));
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
}

TEST_F(Fallback, AnExecutorThatWasAskedForFailsWithTheKernelsItself) {
  const Ran ran = with_driver("GYRE_FAKE_DRIVER_DEVICES=1 GYRE_FAKE_DRIVER_MODULE=209",
                              "run count.gyre --executor device_graph");

  if (ran.err.find("no NVRTC") != std::string::npos) GTEST_SKIP() << ran.err;
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.err, HasSubstr("cuModuleLoadData failed"));
  EXPECT_EQ(ran.err.find("warning"), std::string::npos) << ran.err;
}

TEST_F(Fallback, AnExecutorThatWasAskedForIsRefusedInstead) {
  const Ran asked =
      with_driver("GYRE_FAKE_DRIVER_VERSION=11080", "run count.gyre --executor device_graph");
  const Ran named = run_with_driver("GYRE_FAKE_DRIVER_VERSION=11080 GYRE_EXECUTOR=host_branch");

  EXPECT_EQ(asked.exit, 2);
  EXPECT_THAT(asked.err, HasSubstr("executor 'device_graph' is not available: the CUDA driver is "
                                   "too old"));
  EXPECT_EQ(named.exit, 2);
  EXPECT_THAT(named.err, HasSubstr("as GYRE_EXECUTOR asks"));
}

TEST_F(Fallback, DoctorTellsTheSameReasons) {
  const auto reasons = [&](const std::string& settings) {
    return with_driver(settings, "doctor").out;
  };

  EXPECT_THAT(reasons("GYRE_FAKE_DRIVER_INIT=100"),
              HasSubstr("device_graph  not available: this machine has a CUDA driver but no GPU"));
  EXPECT_THAT(reasons("GYRE_FAKE_DRIVER_INIT=35"),
              HasSubstr("host_branch   not available: the CUDA driver does not start"));
  EXPECT_THAT(reasons("GYRE_FAKE_DRIVER_VERSION=11080"),
              HasSubstr("device_graph  not available: the CUDA driver is too old"));
  EXPECT_THAT(reasons("GYRE_FAKE_DRIVER_DEVICES=1 GYRE_NVRTC=libthere-is-none.so"),
              HasSubstr("device_graph  not available: no NVRTC"));
}

TEST_F(Fallback, DoctorFindsAnExecutorThatFailsAtItsFirstProgram) {
  // CUDA_ERROR_NO_BINARY_FOR_GPU.
  const Ran ran = with_driver("GYRE_FAKE_DRIVER_DEVICES=1 GYRE_FAKE_DRIVER_MODULE=209", "doctor");

  if (ran.out.find("no NVRTC") != std::string::npos) GTEST_SKIP() << ran.out;
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.out, HasSubstr("device_graph  not available: "));
  EXPECT_THAT(ran.out, HasSubstr("(209)"));
  EXPECT_THAT(ran.out, HasSubstr("Programs run on the cpu"));
}

}  // namespace
}  // namespace gyre::cli
