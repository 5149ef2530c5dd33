#include "../../../../src/executors/gpu/check_memory.hpp"

#include "gyre/base/error.hpp"
#include "support/refusal.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

using cuda::MemoryKind;
using cuda::PointerFacts;

const ir::Symbol x{.name = "x",
                   .kind = ir::SymbolKind::Buffer,
                   .type = ir::ScalarType::F64,
                   .intent = ir::Intent::In};

// What binding a f64[2, 50], 800 bytes, to such memory says on device 0.
std::string refusal(const PointerFacts& facts, std::vector<std::int64_t> extents = {2, 50}) {
  const ir::BufferView view{ir::ScalarType::F64, std::move(extents), nullptr};
  return support::refusal([&] { check_memory(x, view, facts, 0); });
}

TEST(CheckMemory, TakesMemoryOfItsDeviceAndOfTheHost) {
  EXPECT_EQ(refusal({MemoryKind::Device, 0, 4096}), "accepted");
  EXPECT_EQ(refusal({MemoryKind::Managed, 0, 4096}), "accepted");
  EXPECT_EQ(refusal({MemoryKind::Pinned, -1, 4096}), "accepted");
  EXPECT_EQ(refusal({MemoryKind::Pageable, -1, 0}), "accepted");
}

TEST(CheckMemory, RefusesMemoryOfAnotherDeviceByName) {
  EXPECT_EQ(refusal({MemoryKind::Device, 1, 4096}),
            "the memory of buffer 'x' lies on device 1, and the program runs on device 0");
}

TEST(CheckMemory, ManagedMemoryServesEveryDevice) {
  EXPECT_EQ(refusal({MemoryKind::Managed, 1, 4096}), "accepted");
}

TEST(CheckMemory, RefusesAnAllocationThatEndsTooEarlyWithBothNumbers) {
  const std::string too_small =
      "buffer 'x' is f64[2, 50] and takes 800 bytes, but the allocation bound to it ends after 799";

  EXPECT_EQ(refusal({MemoryKind::Device, 0, 799}), too_small);
  EXPECT_EQ(refusal({MemoryKind::Managed, 0, 799}), too_small);
  EXPECT_EQ(refusal({MemoryKind::Pinned, -1, 799}), too_small);
}

TEST(CheckMemory, AnAllocationThatJustFitsIsEnough) {
  EXPECT_EQ(refusal({MemoryKind::Device, 0, 800}), "accepted");
}

TEST(CheckMemory, AnUnknownEndIsNoReasonToRefuse) {
  EXPECT_EQ(refusal({MemoryKind::Device, 0, 0}), "accepted");
}

TEST(CheckMemory, RefusesAnAddressWithoutMemory) {
  EXPECT_EQ(refusal({MemoryKind::None, -1, 0}),
            "the memory of buffer 'x' is neither a GPU's nor the host's; it was freed, or never "
            "allocated");
}

TEST(CheckMemory, NoElementsNeedNoMemory) {
  EXPECT_EQ(refusal({MemoryKind::None, -1, 0}, {0, 50}), "accepted");
  EXPECT_EQ(refusal({MemoryKind::Device, 1, 8}, {2, 0}), "accepted");
}

TEST(CheckAllocation, MemoryThatWasGivenBackIsNoticedThoughItsAddressServesAgain) {
  const PointerFacts bound{MemoryKind::Device, 0, 4096, 7};
  const auto now_it_is = [&](const PointerFacts& now) -> std::string {
    try {
      check_allocation(x, bound, now);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "the same";
  };

  EXPECT_EQ(now_it_is(bound), "the same");
  EXPECT_EQ(
      now_it_is({MemoryKind::Device, 0, 4096, 8}),
      "the memory of buffer 'x' was given back since it was bound, and its address belongs to "
      "another allocation now; bind the buffer again");
  EXPECT_NE(now_it_is({MemoryKind::Pageable}), "the same");
}

}  // namespace
}  // namespace gyre::executors
