#include "gyre/io/array_data.hpp"

#include "gyre/base/error.hpp"
#include "support/refusal.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace gyre::io {
namespace {

using ir::ScalarType;

template <class T>
ArrayData array_of(ScalarType type, std::vector<T> values) {
  ArrayData array{.type = type, .extents = {static_cast<std::int64_t>(values.size())}, .bytes = {}};
  array.bytes.resize(values.size() * sizeof(T));
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

template <class T>
std::vector<T> values_of(const ArrayData& array) {
  std::vector<T> values(array.bytes.size() / sizeof(T));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

std::string refusal(ArrayData array, ScalarType type) {
  return support::refusal([&] { convert_array(std::move(array), type, "a.npy"); });
}

TEST(ArrayData, OfItsTypeStaysAsItIs) {
  const auto array = array_of<double>(ScalarType::F64, {1.5, std::nan("1")});

  EXPECT_EQ(convert_array(array, ScalarType::F64, "a").bytes, array.bytes);
}

TEST(ArrayData, IntegersConvertWhereTheyFit) {
  const auto array = array_of<std::int64_t>(ScalarType::I64, {1, -2147483648});

  EXPECT_EQ(values_of<std::int32_t>(convert_array(array, ScalarType::I32, "a")),
            (std::vector<std::int32_t>{1, std::numeric_limits<std::int32_t>::min()}));
  EXPECT_EQ(refusal(array_of<std::int64_t>(ScalarType::I64, {0, 2147483648}), ScalarType::I32),
            "a.npy: element 1 is 2147483648, which i32 cannot hold");
}

TEST(ArrayData, FloatsBecomeIntegersOnlyExactly) {
  EXPECT_EQ(
      values_of<std::int64_t>(convert_array(
          array_of<double>(ScalarType::F64, {3, -9223372036854775808.0}), ScalarType::I64, "a")),
      (std::vector<std::int64_t>{3, std::numeric_limits<std::int64_t>::min()}));
  for (const double value : {0.5, 9223372036854775808.0, -1e300, std::nan(""), HUGE_VAL}) {
    EXPECT_NE(refusal(array_of<double>(ScalarType::F64, {value}), ScalarType::I64), "accepted");
  }
}

TEST(ArrayData, FloatsRoundToNearest) {
  const auto array = array_of<double>(ScalarType::F64, {0.1, 1e-300, HUGE_VAL});

  EXPECT_EQ(values_of<float>(convert_array(array, ScalarType::F32, "a")),
            (std::vector<float>{0.1f, 0.0f, HUGE_VALF}));
}

TEST(ArrayData, AFiniteFloatNeverBecomesInfinite) {
  EXPECT_NE(refusal(array_of<double>(ScalarType::F64, {1e39}), ScalarType::F32), "accepted");
  EXPECT_NE(refusal(array_of<float>(ScalarType::F32, {65520}), ScalarType::F16), "accepted");
  EXPECT_EQ(refusal(array_of<float>(ScalarType::F32, {65519}), ScalarType::F16), "accepted");
  EXPECT_NE(refusal(array_of<double>(ScalarType::F64, {3.4e38}), ScalarType::BF16), "accepted");
}

TEST(ArrayData, HalvesAreTheirBits) {
  const auto array = array_of<float>(ScalarType::F32, {1.0f, -2.0f});

  const auto f16 = convert_array(array, ScalarType::F16, "a");
  const auto bf16 = convert_array(array, ScalarType::BF16, "a");

  EXPECT_EQ(values_of<std::uint16_t>(f16), (std::vector<std::uint16_t>{0x3c00, 0xc000}));
  EXPECT_EQ(values_of<std::uint16_t>(bf16), (std::vector<std::uint16_t>{0x3f80, 0xc000}));
  EXPECT_EQ(convert_array(f16, ScalarType::F32, "a").bytes, array.bytes);
  EXPECT_EQ(convert_array(bf16, ScalarType::F32, "a").bytes, array.bytes);
}

TEST(ArrayData, ABoolIsZeroOrOne) {
  EXPECT_EQ(values_of<std::uint8_t>(
                convert_array(array_of<double>(ScalarType::F64, {0, 1}), ScalarType::Bool, "a")),
            (std::vector<std::uint8_t>{0, 1}));
  EXPECT_NE(refusal(array_of<double>(ScalarType::F64, {2}), ScalarType::Bool), "accepted");
  EXPECT_EQ(values_of<float>(convert_array(array_of<std::uint8_t>(ScalarType::Bool, {0, 1}),
                                           ScalarType::F32, "a")),
            (std::vector<float>{0, 1}));
}

TEST(ArrayData, ExtentsMustMultiplyToTheElements) {
  auto array = array_of<float>(ScalarType::F32, {1, 2, 3, 4, 5, 6});
  const auto accepts = [&](std::vector<std::int64_t> extents) {
    array.extents = std::move(extents);
    try {
      return verify_array(array.view()) == 6;
    } catch (const UsageError&) {
      return false;
    }
  };

  EXPECT_TRUE(accepts({2, 3}));
  EXPECT_TRUE(accepts({1, 2, 1, 3}));
  EXPECT_FALSE(accepts({}));
  EXPECT_FALSE(accepts({1, 1, 1, 2, 3}));
  EXPECT_FALSE(accepts({-2, -3}));
  EXPECT_FALSE(accepts({7}));
  EXPECT_FALSE(accepts({0}));
}

TEST(ArrayData, ExtentsThatWrapTo0AreNotEmpty) {
  const std::int64_t two_to_32 = std::int64_t{1} << 32;
  const ArrayData wraps{.type = ScalarType::F32, .extents = {two_to_32, two_to_32}, .bytes = {}};
  const ArrayData empty{.type = ScalarType::F32, .extents = {two_to_32, two_to_32, 0}, .bytes = {}};

  EXPECT_THROW(verify_array(wraps.view()), UsageError);
  EXPECT_EQ(verify_array(empty.view()), 0u);
}

}  // namespace
}  // namespace gyre::io
