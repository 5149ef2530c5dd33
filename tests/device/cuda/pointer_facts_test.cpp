#include "gyre/cuda/pointer_facts.hpp"

#include "gpu_test.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::cuda {
namespace {

using PointerFactsTest = GpuTest;

CUdeviceptr address_of(const void* memory) {
  return reinterpret_cast<CUdeviceptr>(memory);
}

TEST_F(PointerFactsTest, DeviceMemoryKnowsItsDeviceAndHowMuchIsLeft) {
  const DeviceMemory memory(4096);

  const PointerFacts first = pointer_facts(memory.address());
  const PointerFacts inside = pointer_facts(memory.address() + 4000);

  EXPECT_EQ(first.kind, MemoryKind::Device);
  EXPECT_EQ(first.device, 0);
  EXPECT_EQ(first.bytes_left, 4096U);
  EXPECT_EQ(inside.kind, MemoryKind::Device);
  EXPECT_EQ(inside.bytes_left, 96U);
}

TEST_F(PointerFactsTest, PinnedMemoryIsTheHosts) {
  const PinnedMemory memory(4096);

  const PointerFacts facts = pointer_facts(address_of(memory.data()));

  EXPECT_EQ(facts.kind, MemoryKind::Pinned);
  EXPECT_EQ(facts.device, -1);
  EXPECT_TRUE(facts.bytes_left == 0 || facts.bytes_left >= 4096) << facts.bytes_left;
}

TEST_F(PointerFactsTest, OrdinaryMemoryIsPageable) {
  const std::vector<double> memory(100);

  const PointerFacts facts = pointer_facts(address_of(memory.data()));

  EXPECT_EQ(facts.kind, MemoryKind::Pageable);
  EXPECT_EQ(facts.device, -1);
  EXPECT_EQ(facts.bytes_left, 0U);
}

TEST_F(PointerFactsTest, FreedDeviceMemoryIsNobodys) {
  CUdeviceptr freed = 0;
  {
    const DeviceMemory memory(64 << 20);
    freed = memory.address();
  }

  EXPECT_EQ(pointer_facts(freed).kind, MemoryKind::None);
}

TEST_F(PointerFactsTest, AWildAddressIsNobodys) {
  EXPECT_EQ(pointer_facts(0).kind, MemoryKind::None);
  EXPECT_EQ(pointer_facts(0x10).kind, MemoryKind::None);
}

TEST_F(PointerFactsTest, MemoryOfAnotherDeviceSaysSo) {
  if (device_count() < 2) GTEST_SKIP() << "this machine has one GPU";
  const Context other(1);
  const CurrentContext current(other);
  const DeviceMemory memory(4096);

  EXPECT_EQ(pointer_facts(memory.address()).device, 1);
}

}  // namespace
}  // namespace gyre::cuda
