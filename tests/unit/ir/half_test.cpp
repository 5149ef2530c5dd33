#include "gyre/ir/half.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

// The value by the definition of the format, with `mantissa_bits` and the largest exponent kept
// for infinities and NaNs.
double value_of(std::uint32_t bits, int mantissa_bits, int exponent_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const double fraction = static_cast<double>(bits & ((1u << mantissa_bits) - 1));
  const double scale = std::ldexp(1.0, -mantissa_bits);
  const double magnitude = exponent == 0 ? std::ldexp(fraction * scale, 1 - bias)
                                         : std::ldexp(1.0 + fraction * scale, exponent - bias);
  return bits >> (mantissa_bits + exponent_bits) != 0 ? -magnitude : magnitude;
}

TEST(Half, EveryF16HasTheValueOfItsFormatAndComesBack) {
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);

    const float value = f32_from_f16(bits);

    if ((bits & 0x7c00u) != 0x7c00u) {
      ASSERT_EQ(value, value_of(bits, 10, 5)) << i;
    }
    if ((bits & 0x7fffu) > 0x7c00u) {
      ASSERT_TRUE(std::isnan(value)) << i;
      ASSERT_TRUE(std::isnan(f32_from_f16(f16_from_f32(value)))) << i;
    } else {
      ASSERT_EQ(f16_from_f32(value), bits) << i;
    }
  }
}

TEST(Half, EveryBf16ComesBack) {
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);

    const float value = f32_from_bf16(bits);

    ASSERT_EQ(std::bit_cast<std::uint32_t>(value) >> 16, bits);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(f32_from_bf16(bf16_from_f32(value))));
    } else {
      ASSERT_EQ(bf16_from_f32(value), bits);
    }
  }
}

TEST(Half, HalfWayBetweenTwoF16GoesToTheEvenOneAndPastItUp) {
  for (std::uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const float low = f32_from_f16(bits);
    const float high = f32_from_f16(static_cast<std::uint16_t>(bits + 1));
    const float middle = low + (high - low) / 2;
    const std::uint16_t even = bits % 2 == 0 ? bits : static_cast<std::uint16_t>(bits + 1);

    ASSERT_EQ(f16_from_f32(middle), even) << bits;
    ASSERT_EQ(f16_from_f32(std::nextafter(middle, high)), bits + 1) << bits;
    ASSERT_EQ(f16_from_f32(std::nextafter(middle, low)), bits) << bits;
    ASSERT_EQ(f16_from_f32(-middle), even | 0x8000) << bits;
  }
}

TEST(Half, HalfWayBetweenTwoBf16GoesToTheEvenOne) {
  EXPECT_EQ(bf16_from_f32(std::bit_cast<float>(0x3f808000u)), 0x3f80);
  EXPECT_EQ(bf16_from_f32(std::bit_cast<float>(0x3f818000u)), 0x3f82);
  EXPECT_EQ(bf16_from_f32(std::bit_cast<float>(0x3f808001u)), 0x3f81);
}

TEST(Half, WhatIsTooLargeBecomesInfinite) {
  EXPECT_EQ(f16_from_f32(65519.996f), 0x7bff);
  EXPECT_EQ(f16_from_f32(65520.0f), 0x7c00);
  EXPECT_EQ(f16_from_f32(static_cast<float>(1e300)), 0x7c00);
  EXPECT_EQ(f16_from_f32(-1e30f), 0xfc00);
  EXPECT_EQ(bf16_from_f32(std::numeric_limits<float>::max()), 0x7f80);
}

TEST(Half, WhatIsTooSmallBecomesZeroOfItsSign) {
  EXPECT_EQ(f16_from_f32(0x1p-25f), 0x0000);
  EXPECT_EQ(f16_from_f32(-0x1p-25f), 0x8000);
  EXPECT_EQ(f16_from_f32(std::nextafter(0x1p-25f, 1.0f)), 0x0001);
  EXPECT_EQ(f16_from_f32(-0.0f), 0x8000);
}

}  // namespace
}  // namespace gyre::ir
