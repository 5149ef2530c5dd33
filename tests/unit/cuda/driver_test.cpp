#include "gyre/cuda/driver.hpp"

#include "gyre/base/error.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "support/environment_variable.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::cuda {
namespace {

using support::EnvironmentVariable;
using testing::HasSubstr;

TEST(Driver, MissingLibraryIsAReasonAndNoError) {
  const FoundDriver found = load_driver("libthere-is-no-such-driver.so.1");

  EXPECT_EQ(found.driver, nullptr);
  EXPECT_THAT(found.reason, HasSubstr("no CUDA driver: "));
  EXPECT_THAT(found.reason, HasSubstr("libthere-is-no-such-driver.so.1"));
}

TEST(Driver, LibraryOfAnotherKindIsTooOld) {
  const FoundDriver found = load_driver("libm.so.6");

  EXPECT_EQ(found.driver, nullptr);
  EXPECT_THAT(found.reason, HasSubstr("too old"));
}

TEST(Driver, MachineWithoutGpuIsAReason) {
  const EnvironmentVariable init("GYRE_FAKE_DRIVER_INIT", std::to_string(CUDA_ERROR_NO_DEVICE));

  const FoundDriver found = load_driver(GYRE_FAKE_DRIVER);

  EXPECT_EQ(found.driver, nullptr);
  EXPECT_THAT(found.reason, HasSubstr("no GPU"));
  EXPECT_THAT(found.reason, HasSubstr("CUDA_ERROR_NO_DEVICE"));
}

TEST(Driver, FailedStartCarriesTheDriversName) {
  const EnvironmentVariable init("GYRE_FAKE_DRIVER_INIT",
                                 std::to_string(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH));

  const FoundDriver found = load_driver(GYRE_FAKE_DRIVER);

  EXPECT_EQ(found.driver, nullptr);
  EXPECT_THAT(found.reason, HasSubstr("CUDA_ERROR_OF_THE_FAKE (803)"));
  EXPECT_THAT(found.reason, HasSubstr("reboot"));
}

TEST(Driver, DriverOfCuda11IsTooOld) {
  const EnvironmentVariable version("GYRE_FAKE_DRIVER_VERSION", "11080");

  const FoundDriver found = load_driver(GYRE_FAKE_DRIVER);

  EXPECT_EQ(found.driver, nullptr);
  EXPECT_THAT(found.reason, HasSubstr("knows CUDA 11.8, gyre needs 12.0"));
}

TEST(Driver, StartThatFailsWithANumberOfTheRuntimesIsAReason) {
  // What the runtime calls an insufficient driver; the driver itself knows no such number.
  const EnvironmentVariable init("GYRE_FAKE_DRIVER_INIT", "35");

  const FoundDriver found = load_driver(GYRE_FAKE_DRIVER);

  EXPECT_EQ(found.driver, nullptr);
  EXPECT_THAT(found.reason, HasSubstr("cuInit gave CUDA_ERROR_OF_THE_FAKE (35)"));
}

TEST(Driver, OnlyAMachineWithoutDriverOrDeviceHasNothingToDrive) {
  const auto with_init = [](CUresult result) {
    const EnvironmentVariable init("GYRE_FAKE_DRIVER_INIT", std::to_string(result));
    return load_driver(GYRE_FAKE_DRIVER).has_nothing_to_drive;
  };
  const auto with_version = [](const char* version) {
    const EnvironmentVariable fake("GYRE_FAKE_DRIVER_VERSION", version);
    return load_driver(GYRE_FAKE_DRIVER).has_nothing_to_drive;
  };

  EXPECT_TRUE(load_driver("libthere-is-no-such-driver.so.1").has_nothing_to_drive);
  EXPECT_TRUE(with_init(CUDA_ERROR_NO_DEVICE));
  EXPECT_FALSE(with_init(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH));
  EXPECT_FALSE(with_init(CUDA_SUCCESS));
  EXPECT_FALSE(with_version("11080"));
}

TEST(Driver, FunctionsNewerThanTheDriverSayNotSupported) {
  const EnvironmentVariable version("GYRE_FAKE_DRIVER_VERSION", "12020");

  const FoundDriver found = load_driver(GYRE_FAKE_DRIVER);

  ASSERT_NE(found.driver, nullptr) << found.reason;
  EXPECT_EQ(found.driver->version, 12020);
  CUgraphConditionalHandle handle = 0;
  EXPECT_EQ(found.driver->cuGraphConditionalHandleCreate(&handle, nullptr, nullptr, 0, 0),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(found.driver->cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST(Driver, ThisMachineHasADriverOrAReason) {
  EXPECT_EQ(driver() == nullptr, !why_no_driver().empty()) << why_no_driver();
}

TEST(Driver, CallWithoutADriverThrowsTheReason) {
  if (driver() != nullptr) GTEST_SKIP() << "this machine has a driver";
  const auto call = [] { GYRE_CUDA_CALL(cuCtxSynchronize()); };

  EXPECT_EQ(device_count(), 0);
  EXPECT_THROW(
      try { call(); } catch (const EnvironmentError& error) {
        EXPECT_EQ(error.what(), why_no_driver());
        throw;
      },
      EnvironmentError);
}

TEST(Check, ErrorNamesActivityCallAndHint) {
  const During outer("compiling cg");
  const During inner("adding cg/while#0 kernel cg_2");

  std::string message;
  try {
    check(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc(&address, bytes)");
  } catch (const EnvironmentError& error) {
    message = error.what();
  }

  EXPECT_THAT(message,
              HasSubstr("compiling cg: adding cg/while#0 kernel cg_2: cuMemAlloc failed with "));
  EXPECT_THAT(message, HasSubstr("(2)"));
  EXPECT_THAT(message, HasSubstr("hint: the GPU has no memory left"));
}

DeviceFacts with_driver(int version) {
  DeviceFacts facts;
  facts.driver_version = version;
  return facts;
}

TEST(DeviceFacts, AbilitiesFollowTheDriver) {
  const DeviceFacts old = with_driver(12020);
  const DeviceFacts first = with_driver(12040);
  const DeviceFacts newer = with_driver(12080);
  const DeviceFacts newest = with_driver(13000);

  EXPECT_FALSE(old.has_conditional_nodes());
  EXPECT_TRUE(first.has_conditional_nodes());
  EXPECT_FALSE(first.has_else() || first.has_switch());
  EXPECT_TRUE(newer.has_else() && newer.has_switch());
  EXPECT_FALSE(newer.else_may_hold_child_graphs());
  EXPECT_TRUE(newest.else_may_hold_child_graphs());
}

}  // namespace
}  // namespace gyre::cuda
