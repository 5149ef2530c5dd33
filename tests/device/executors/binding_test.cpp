/// Memory that cannot serve a program on a GPU is refused before a kernel meets it, and nothing of
/// the executable is lost by it.
#include "device_vector.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "support/refusal.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gyre {
namespace {

using Binding = DeviceGraphTest;

constexpr const char* sum_program = R"(program total(n: size) {
  in x: f64[n]
  inout y: f64[n]
  out total: f64
  foreach i in 0..n { y[i] = y[i] + x[i] }
  total = sum(i in 0..n) y[i]
}
)";

std::string refusal(Executable& executable) {
  return support::refusal([&] { executable.run(); });
}

TEST_F(Binding, AnAllocationThatIsTooSmallIsRefusedWithBothNumbers) {
  const DeviceVector<double> x(std::vector<double>(1000, 1.0));
  const DeviceVector<double> y(std::vector<double>(512, 1.0));
  Executable total = make(sum_program);
  bind(total, "x", x);
  total.bind("y", y.data(), {1000});

  EXPECT_EQ(refusal(total),
            "buffer 'y' is f64[1000] and takes 8000 bytes, but the allocation bound to it ends "
            "after 4096");
}

TEST_F(Binding, FreedMemoryIsRefused) {
  const std::vector<double> ones(1 << 22, 1.0);
  const DeviceVector<double> x(ones);
  double* freed = nullptr;
  {
    const DeviceVector<double> y(ones);
    freed = y.data();
  }
  Executable total = make(sum_program);
  bind(total, "x", x);
  total.bind("y", freed, x.extents());

  EXPECT_EQ(refusal(total),
            "the memory of buffer 'y' is neither a GPU's nor the host's; it was freed, or never "
            "allocated");
}

TEST_F(Binding, MemoryOfAnotherDeviceIsRefused) {
  if (cuda::device_count() < 2) GTEST_SKIP() << "this machine has one GPU";
  const DeviceVector<double> x(std::vector<double>(8, 1.0));
  const cuda::Context other(1);
  const cuda::CurrentContext current(other);
  const DeviceVector<double> y(std::vector<double>(8, 1.0));
  Executable total = make(sum_program);
  bind(total, "x", x);
  bind(total, "y", y);

  EXPECT_EQ(refusal(total),
            "the memory of buffer 'y' lies on device 1, and the program runs on device 0");
}

TEST_F(Binding, OverlapsAreJudgedByAddressesOfTheDevice) {
  const DeviceVector<double> memory(std::vector<double>(20, 1.0));
  Executable total = make(sum_program);
  total.bind("x", memory.data(), {10});
  total.bind("y", memory.data() + 9, {10});
  const std::string overlapping = refusal(total);
  total.bind("y", memory.data() + 10, {10});
  const std::string adjacent = refusal(total);

  EXPECT_EQ(overlapping, "buffer 'y' is written, and its memory overlaps that of 'x'");
  EXPECT_EQ(adjacent, "accepted");
}

TEST_F(Binding, AfterARefusalTheNextRunIsRight) {
  const DeviceVector<double> x(std::vector<double>(1000, 1.0));
  const DeviceVector<double> y(std::vector<double>(1000, 2.0));
  const DeviceVector<double> small(std::vector<double>(10, 0.0));
  Executable total = make(sum_program);
  bind(total, "x", x);
  bind(total, "y", y);
  EXPECT_EQ(total.run().get<double>("total"), 3000.0);
  total.bind("x", small.data(), {1000});
  EXPECT_NE(refusal(total), "accepted");

  bind(total, "x", x);

  EXPECT_EQ(total.run().get<double>("total"), 4000.0);
}

TEST_F(Binding, HostMemoryOfEveryKindServes) {
  const DeviceVector<double> x(std::vector<double>(16, 1.0));
  std::vector<double> pageable(16, 1.0);
  const cuda::PinnedMemory pinned(16 * sizeof(double));
  auto* numbers = static_cast<double*>(pinned.data());
  for (int i = 0; i < 16; ++i) numbers[i] = 1.0;
  Executable total = make(sum_program);
  bind(total, "x", x);

  total.bind("y", pageable);
  EXPECT_EQ(total.run().get<double>("total"), 32.0);
  total.bind("y", numbers, {16});
  EXPECT_EQ(total.run().get<double>("total"), 32.0);
}

TEST_F(Binding, SteadyMemoryOfTheHostIsCopiedOnceAndAnewWhereItIsBoundAgain) {
  std::vector<double> x(1000, 1.0);
  const DeviceVector<double> y(std::vector<double>(1000, 0.0));
  Executable total = make(sum_program);
  total.bind_steady("x", x);
  bind(total, "y", y);
  const auto run = [&] { return total.run().get<double>("total"); };

  EXPECT_EQ(run(), 1000.0);
  // Against the promise, to see that nobody looks.
  x.assign(1000, 5.0);
  EXPECT_EQ(run(), 2000.0);
  total.bind_steady("x", x);
  EXPECT_EQ(run(), 7000.0);
  total.bind("x", x);
  x.assign(1000, 0.5);
  EXPECT_EQ(run(), 7500.0);
}

TEST_F(Binding, LaunchesOnSteadyMemoryOfTheHostAreTheDevicesOwn) {
  const std::vector<double> x(1000, 1.0);
  const DeviceVector<double> y(std::vector<double>(1000, 0.0));
  Executable total = make(sum_program, Overlap::Queue);
  total.bind_steady("x", x);
  bind(total, "y", y);
  const cuda::Stream stream;

  for (int i = 0; i < 5; ++i) auto launch = total.launch(stream.get());
  stream.synchronize();

  EXPECT_EQ(y.read(), std::vector<double>(1000, 5.0));
}

TEST_F(Binding, WhatIsWrittenIsNotSteady) {
  const std::vector<double> y(1000, 1.0);
  Executable total = make(sum_program);

  EXPECT_THROW(total.bind_steady("y", y), UsageError);
}

}  // namespace
}  // namespace gyre
