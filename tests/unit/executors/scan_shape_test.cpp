// The shape of a scan, beside one that is written out here number by number.
#include "gyre/ir/scan_shape.hpp"

#include "gyre/gyre.hpp"
#include "support/cpu_run.hpp"
#include "support/programs.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using Floats = std::vector<float>;

TEST(ScanShape, BlocksHaveTheRootOfTheNumberOfGroups) {
  using ir::scan_shape::block;
  EXPECT_EQ(block(0), 64);
  EXPECT_EQ(block(4096), 64);
  EXPECT_EQ(block(4097), 65);
  EXPECT_EQ(block(4225), 65);
  EXPECT_EQ(block(4226), 66);
  EXPECT_EQ(block(16384), 128);
}

// An inner fold: as many strands as the greatest power of two up to a quarter of the terms, at most
// 256, and neighbours combined until one is left.
float inner_sum(const Floats& terms, std::size_t first, std::size_t last) {
  const std::size_t count = last - first;
  if (count == 0) return 0;
  std::size_t width = 1;
  while (width * 2 <= count / 4 && width < 256) width *= 2;
  Floats strands(terms.begin() + static_cast<std::ptrdiff_t>(first),
                 terms.begin() + static_cast<std::ptrdiff_t>(first + width));
  for (std::size_t i = width; i < count; ++i) strands[i % width] += terms[first + i];
  for (; strands.size() > 1; strands.resize(strands.size() / 2)) {
    for (std::size_t i = 0; i < strands.size() / 2; ++i) {
      strands[i] = strands[2 * i] + strands[2 * i + 1];
    }
  }
  return strands.front();
}

Floats sums_of(const Floats& parts, std::size_t width) {
  Floats sums;
  for (std::size_t first = 0; first < parts.size(); first += width) {
    sums.push_back(inner_sum(parts, first, std::min(first + width, parts.size())));
  }
  return sums;
}

struct Scanned {
  /// Up to and including each term, and up to it.
  Floats inclusive;
  Floats exclusive;
};

// `width` is how many groups a block has.
Scanned reference(const Floats& terms, std::size_t width) {
  const Floats leaves = sums_of(terms, 16);
  const Floats groups = sums_of(leaves, 64);
  const Floats blocks = sums_of(groups, width);
  Scanned made;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const std::size_t group = leaf / 64;
    const std::size_t block = group / width;
    const float before = inner_sum(blocks, 0, block) + inner_sum(groups, block * width, group) +
                         inner_sum(leaves, group * 64, leaf);
    for (std::size_t j = leaf * 16; j < std::min(leaf * 16 + 16, terms.size()); ++j) {
      made.inclusive.push_back(before + inner_sum(terms, leaf * 16, j + 1));
      made.exclusive.push_back(before + inner_sum(terms, leaf * 16, j));
    }
  }
  return made;
}

constexpr const char* both_scans =
    "program p(n: size) {\n in x: f32[n]\n out y: f32[n], z: f32[n]\n"
    "scan(i in 0..n) y = sum x[i]\n"
    "scan(i in 0..n) z = sum x[i] exclusive\n}";

// Sums of these depend on the order.
Floats random_terms(std::size_t count) {
  support::Random random(1);
  Floats terms(count);
  for (float& term : terms) {
    term = static_cast<float>(random.between(-1'000'000, 1'000'000)) *
           (random.chance(20) ? 0x1p-3F : 0x1p-17F);
  }
  return terms;
}

class ScanOf : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ScanOf, HasTheShape) {
  const Floats terms = random_terms(GetParam());

  const auto ran =
      executors::expect_as_interpreted(both_scans, support::OwnedArguments()
                                                       .with("x", terms)
                                                       .with("y", Floats(terms.size()))
                                                       .with("z", Floats(terms.size())));

  const Scanned expected = reference(terms, 64);
  EXPECT_TRUE(ran.data.elements<float>("y") == expected.inclusive);
  EXPECT_TRUE(ran.data.elements<float>("z") == expected.exclusive);
}

INSTANTIATE_TEST_SUITE_P(AroundBorders, ScanOf,
                         ::testing::Values(0, 1, 15, 16, 17, 1023, 1024, 1025, 1041, 65'535, 65'536,
                                           65'537, 65'553, 70'000, 300'000));

// More than 4,096 groups.
TEST(ScanShape, LongListsHaveLongerBlocks) {
  Floats terms = random_terms(4'400'000);
  Floats y(terms.size());
  Floats z(terms.size());
  auto executable = compile(support::parse_ok(both_scans));
  executable.bind("x", terms);
  executable.bind("y", y);
  executable.bind("z", z);

  executable.run();

  const Scanned expected = reference(terms, 66);
  EXPECT_TRUE(y == expected.inclusive);
  EXPECT_TRUE(z == expected.exclusive);
}

// Else no other test here could tell one shape from another.
TEST(ScanShape, IsNotThatOfALoopOrOfOtherBlocks) {
  const Floats terms = random_terms(300'000);
  Floats in_order(terms.size());
  std::partial_sum(terms.begin(), terms.end(), in_order.begin());

  const Floats expected = reference(terms, 64).inclusive;

  EXPECT_FALSE(in_order == expected);
  EXPECT_FALSE(reference(terms, 65).inclusive == expected);
}

// Selections keep whole numbers, which add up in any order: where they stand is all there is.
TEST(ScanShape, SelectionsOfLongListsKeepTheirOrder) {
  std::vector<std::int64_t> x(1'300'001);
  support::Random random(2);
  for (auto& one : x) one = random.between(-2, 3);
  std::vector<std::int64_t> y(x.size());
  auto executable =
      compile(support::parse_ok("program p(n: size) {\n in x: i64[n]\n out y: i64[n], m: i64\n"
                                "compact(i in 0..n) y, m = i where x[i] > 0\n}"));
  executable.bind("x", x);
  executable.bind("y", y);

  const auto result = executable.run();

  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < std::ssize(x); ++i) {
    if (x[static_cast<std::size_t>(i)] > 0) expected.push_back(i);
  }
  EXPECT_EQ(result.get<std::int64_t>("m"), std::ssize(expected));
  y.resize(expected.size());
  EXPECT_TRUE(y == expected);
}

}  // namespace
}  // namespace gyre
