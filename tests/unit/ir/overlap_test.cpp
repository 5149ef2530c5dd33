#include "../../../src/ir/overlap.hpp"

#include "support/refusal.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

// A buffer of bytes at an address that nobody looks into.
struct Placed {
  std::string name;
  Intent intent;
  std::uintptr_t address;
  std::int64_t bytes;
};

std::string refusal(const std::vector<Placed>& placed) {
  std::vector<Symbol> symbols;
  std::vector<BufferView> views;
  for (const Placed& one : placed) {
    symbols.push_back({.name = one.name,
                       .kind = SymbolKind::Buffer,
                       .type = ScalarType::Bool,
                       .intent = one.intent});
    views.push_back({ScalarType::Bool, {one.bytes}, reinterpret_cast<void*>(one.address)});
  }
  return support::refusal([&] { refuse_overlaps(symbols, views); });
}

constexpr auto y_overlaps_a = "buffer 'y' is written, and its memory overlaps that of 'a'";

TEST(Overlap, OneByteIsEnough) {
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 8}, {"y", Intent::Out, 107, 8}}), y_overlaps_a);
  EXPECT_EQ(refusal({{"a", Intent::In, 107, 8}, {"y", Intent::Out, 100, 8}}), y_overlaps_a);
}

TEST(Overlap, NeighboursDoNotOverlap) {
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 8}, {"y", Intent::Out, 108, 8}}), "accepted");
  EXPECT_EQ(refusal({{"a", Intent::In, 108, 8}, {"y", Intent::Out, 100, 8}}), "accepted");
}

TEST(Overlap, TheSameStartOverlapsWhateverTheLengths) {
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 8}, {"y", Intent::Inout, 100, 8}}), y_overlaps_a);
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 1}, {"y", Intent::Inout, 100, 8}}), y_overlaps_a);
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 8}, {"y", Intent::Inout, 100, 1}}), y_overlaps_a);
}

TEST(Overlap, OneWithinAnotherOverlaps) {
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 80}, {"y", Intent::Out, 120, 8}}), y_overlaps_a);
  EXPECT_EQ(refusal({{"a", Intent::In, 120, 8}, {"y", Intent::Out, 100, 80}}), y_overlaps_a);
}

TEST(Overlap, NoElementsOverlapNothing) {
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 8}, {"y", Intent::Out, 100, 0}}), "accepted");
  EXPECT_EQ(refusal({{"a", Intent::In, 104, 0}, {"y", Intent::Out, 100, 8}}), "accepted");
  EXPECT_EQ(refusal({{"a", Intent::Out, 0, 0}, {"y", Intent::Out, 0, 0}}), "accepted");
}

TEST(Overlap, InputsMayOverlapInputs) {
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 8}, {"b", Intent::In, 100, 8}}), "accepted");
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 8}, {"b", Intent::In, 104, 80}}), "accepted");
}

TEST(Overlap, TwoThatAreWrittenMayNot) {
  EXPECT_EQ(refusal({{"x", Intent::Out, 100, 8}, {"y", Intent::Inout, 104, 8}}),
            "buffer 'x' is written, and its memory overlaps that of 'y'");
}

TEST(Overlap, ALongInputIsSeenPastShortOnesBetween) {
  EXPECT_EQ(refusal({{"a", Intent::In, 100, 1000},
                     {"b", Intent::In, 110, 1},
                     {"c", Intent::In, 120, 1},
                     {"y", Intent::Out, 900, 8}}),
            y_overlaps_a);
}

TEST(Overlap, ALongOutputIsSeenPastOtherOnesBefore) {
  EXPECT_EQ(refusal({{"y", Intent::Out, 100, 1000},
                     {"z", Intent::Out, 10, 1},
                     {"b", Intent::In, 20, 1},
                     {"a", Intent::In, 1099, 8}}),
            y_overlaps_a);
}

TEST(Overlap, TheEndOfTheAddressesDoesNotWrap) {
  EXPECT_EQ(refusal({{"a", Intent::In, UINTPTR_MAX - 7, 8}, {"y", Intent::Out, 8, 8}}), "accepted");
  EXPECT_EQ(refusal({{"a", Intent::In, UINTPTR_MAX - 7, 8}, {"y", Intent::Out, UINTPTR_MAX, 1}}),
            y_overlaps_a);
}

TEST(Overlap, TemporariesAreNotTheCallers) {
  EXPECT_EQ(refusal({{"t", Intent::Temp, 100, 8}, {"y", Intent::Out, 100, 8}}), "accepted");
}

}  // namespace
}  // namespace gyre::ir
