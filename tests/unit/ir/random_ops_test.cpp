#include "gyre/ir/random_ops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::ops {
namespace {

constexpr long long least = std::numeric_limits<long long>::min();
constexpr long long greatest = std::numeric_limits<long long>::max();

void expect_words(const Words4& words, std::array<unsigned, 4> expected) {
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), words.word))
      << std::hex << words.word[0] << ' ' << words.word[1] << ' ' << words.word[2] << ' '
      << words.word[3];
}

// The published answers for philox4x32-10: kat_vectors of the authors' library, Random123.
TEST(Philox, GivesThePublishedAnswers) {
  constexpr unsigned ones = 0xffffffff;

  expect_words(philox({{0, 0, 0, 0}}, 0, 0), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  expect_words(philox({{ones, ones, ones, ones}}, ones, ones),
               {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  expect_words(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0),
               {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST(Draw, SeedIsTheKeyAndElementAndStepTheCounter) {
  const Draw of_zeros = draw(0, 0, 0);
  const Draw of_words =
      draw(0x299f31d0a4093822, 0x0370734413198a2e, static_cast<long long>(0x85a308d3243f6a88));
  const Draw of_ones = draw(-1, -1, -1);

  EXPECT_EQ(of_zeros.first, 0xe169c58d6627e8d5);
  EXPECT_EQ(of_zeros.second, 0x9b00dbd8bc57ac4c);
  EXPECT_EQ(of_words.first, 0x94fdccebd16cfe09);
  EXPECT_EQ(of_words.second, 0x24126ea15001e420);
  EXPECT_EQ(of_ones.first, 0x41c83b0e408f276d);
}

TEST(Draw, OneFunctionGivesTheBitsOfTheOthers) {
  for (const long long element : {0LL, 1LL, -1LL, least, greatest}) {
    const auto bits = static_cast<unsigned long long>(random(7LL, 3LL, element));

    EXPECT_EQ(uniform(7LL, 3LL, element), std::ldexp(static_cast<double>(bits >> 11), -53));
    EXPECT_EQ(uniform_f32(7LL, 3LL, element), std::ldexp(static_cast<float>(bits >> 40), -24));
  }
}

TEST(UnitInterval, ReachesZeroAndStaysBelowOne) {
  EXPECT_EQ(unit_interval(0), 0.0);
  EXPECT_EQ(unit_interval(~0ULL), 1 - 0x1p-53);
}

// Every bit of every one of the three operands changes the draw.
TEST(Random, DependsOnEveryBitOfItsOperands) {
  std::unordered_set<long long> draws = {random(0LL, 0LL, 0LL)};
  for (int bit = 0; bit < 64; ++bit) {
    const auto word = static_cast<long long>(1ULL << bit);
    draws.insert(random(word, 0LL, 0LL));
    draws.insert(random(0LL, word, 0LL));
    draws.insert(random(0LL, 0LL, word));
  }

  EXPECT_EQ(draws.size(), 1u + 3 * 64);
}

TEST(Random, NeighbouringSeedsStepsAndElementsShareNoDraw) {
  std::unordered_set<long long> draws;
  for (long long seed = -8; seed < 8; ++seed) {
    for (long long step = -8; step < 56; ++step) {
      for (long long element = -8; element < 1016; ++element) {
        draws.insert(random(seed, step, element));
      }
    }
  }

  // Among 2^20 of 2^64 values two are equal with a chance of 3e-8.
  EXPECT_EQ(draws.size(), 16u * 64 * 1024);
}

// The sum of (seen - expected)^2 / expected over equally likely cells.
double chi_square(const std::vector<std::int64_t>& seen) {
  std::int64_t total = 0;
  for (const std::int64_t count : seen) total += count;
  const double expected = static_cast<double>(total) / static_cast<double>(seen.size());
  double sum = 0;
  for (const std::int64_t count : seen) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  return sum;
}

// Chi-square with k degrees of freedom has mean k and variance 2 k; these are 5 deviations.
void expect_plausible(double chi2, double freedom) {
  EXPECT_NEAR(chi2, freedom, 5 * std::sqrt(2 * freedom));
}

constexpr long long many = 1 << 20;

TEST(Random, EachByteIsEquallyOftenEachValue) {
  for (int byte = 0; byte < 8; ++byte) {
    std::vector<std::int64_t> seen(256);
    for (long long i = 0; i < many; ++i) {
      ++seen[static_cast<std::uint64_t>(random(1LL, 2LL, i)) >> (8 * byte) & 255];
    }

    expect_plausible(chi_square(seen), 255);
  }
}

// Pairs of what neighbours draw fill the square evenly: along elements, steps and seeds.
TEST(Uniform, NeighboursAreIndependent) {
  const auto cell = [](double u, double v) {
    return static_cast<std::size_t>(u * 16) * 16 + static_cast<std::size_t>(v * 16);
  };
  std::array<std::vector<std::int64_t>, 3> seen;
  seen.fill(std::vector<std::int64_t>(256));
  for (long long i = 0; i < many; ++i) {
    const double u = uniform(5LL, i, 0LL);
    ++seen[0][cell(uniform(5LL, 0LL, 2 * i), uniform(5LL, 0LL, 2 * i + 1))];
    ++seen[1][cell(u, uniform(5LL, i, 1LL))];
    ++seen[2][cell(u, uniform(6LL, i, 0LL))];
  }

  for (const auto& pairs : seen) expect_plausible(chi_square(pairs), 255);
}

TEST(Uniform, HasTheMeanAndVarianceOfTheInterval) {
  double sum = 0;
  double squares = 0;
  double sum_f32 = 0;
  for (long long i = 0; i < many; ++i) {
    const double u = uniform(11LL, 0LL, i);
    const float v = uniform_f32(12LL, 0LL, i);
    ASSERT_TRUE(u >= 0 && u < 1 && v >= 0 && v < 1);
    sum += u;
    squares += (u - 0.5) * (u - 0.5);
    sum_f32 += static_cast<double>(v);
  }

  // 5 deviations of the mean of n draws: sqrt(1 / 12 / n), and sqrt(1 / 180 / n) for the variance.
  EXPECT_NEAR(sum / many, 0.5, 5 * std::sqrt(1.0 / 12 / many));
  EXPECT_NEAR(squares / many, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / many));
  EXPECT_NEAR(sum_f32 / many, 0.5, 5 * std::sqrt(1.0 / 12 / many));
}

TEST(Normal, HasTheMomentsAndTailsOfTheDistribution) {
  std::array<double, 5> moments = {};
  int beyond_three = 0;
  for (long long i = 0; i < many; ++i) {
    const double z = normal(3LL, 1LL, i);
    ASSERT_TRUE(std::isfinite(z));
    for (int k = 1; k <= 4; ++k) moments.at(static_cast<std::size_t>(k)) += std::pow(z, k) / many;
    beyond_three += std::abs(z) > 3;
  }

  // 5 deviations of the mean of n: the variances of z, z^2, z^3 and z^4 are 1, 2, 15 and 96.
  EXPECT_NEAR(moments[1], 0, 5 * std::sqrt(1.0 / many));
  EXPECT_NEAR(moments[2], 1, 5 * std::sqrt(2.0 / many));
  EXPECT_NEAR(moments[3], 0, 5 * std::sqrt(15.0 / many));
  EXPECT_NEAR(moments[4], 3, 5 * std::sqrt(96.0 / many));
  const double expected = 0.0026997961 * many;
  EXPECT_NEAR(beyond_three, expected, 5 * std::sqrt(expected));
}

}  // namespace
}  // namespace gyre::ops
