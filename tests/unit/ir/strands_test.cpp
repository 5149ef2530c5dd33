#include "gyre/ir/strands.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::strands {
namespace {

TEST(Strands, OuterIsTheLeastPowerOfTwoThatHoldsAllTerms) {
  EXPECT_EQ(outer(0), 1);
  EXPECT_EQ(outer(1), 1);
  EXPECT_EQ(outer(2), 2);
  EXPECT_EQ(outer(3), 4);
  EXPECT_EQ(outer(5), 8);
  EXPECT_EQ(outer((1 << 18) - 1), 1 << 18);
  EXPECT_EQ(outer(1 << 18), 1 << 18);
  EXPECT_EQ(outer((1 << 18) + 1), 1 << 18);
  EXPECT_EQ(outer(1LL << 62), 1 << 18);
}

TEST(Strands, InnerIsTheGreatestPowerOfTwoUpToAQuarterOfTheTerms) {
  EXPECT_EQ(inner(0), 1);
  EXPECT_EQ(inner(7), 1);
  EXPECT_EQ(inner(8), 2);
  EXPECT_EQ(inner(15), 2);
  EXPECT_EQ(inner(16), 4);
  EXPECT_EQ(inner(1023), 128);
  EXPECT_EQ(inner(1024), 256);
  EXPECT_EQ(inner(1LL << 62), 256);
}

// The tree by its definition: over a power of two of strands, absent ones skipped.
std::string tree(const std::vector<std::string>& strands, std::size_t first, std::size_t width) {
  if (first >= strands.size()) return "";
  if (width == 1) return strands[first];
  const auto left = tree(strands, first, width / 2);
  const auto right = tree(strands, first + width / 2, width / 2);
  return right.empty() ? left : "(" + left + "+" + right + ")";
}

TEST(Strands, CombineAsTheAdjacentPairTreeForEveryCount) {
  const auto join = [](const std::string& a, const std::string& b) {
    return "(" + a + "+" + b + ")";
  };
  for (long long count = 1; count <= 600; ++count) {
    std::vector<std::string> strands;
    for (long long s = 0; s < count; ++s) strands.push_back(std::to_string(s));

    auto combined = strands;

    EXPECT_EQ(combine_tree(combined.data(), count, join),
              tree(strands, 0, static_cast<std::size_t>(outer(count))));
  }
}

TEST(Strands, AlignedBlocksMayBeCombinedFirst) {
  const auto join = [](const std::string& a, const std::string& b) {
    return "(" + a + "+" + b + ")";
  };
  for (const long long block : {2, 4, 16}) {
    for (long long count = 1; count <= 70; ++count) {
      std::vector<std::string> strands;
      for (long long s = 0; s < count; ++s) strands.push_back(std::to_string(s));
      auto whole = strands;

      std::vector<std::string> blocks;
      for (long long s = 0; s < count; s += block) {
        blocks.push_back(combine_tree(strands.data() + s, std::min(block, count - s), join));
      }

      EXPECT_EQ(combine_tree(blocks.data(), std::ssize(blocks), join),
                combine_tree(whole.data(), count, join));
    }
  }
}

}  // namespace
}  // namespace gyre::strands
