// Order bits stand as `before` says of the keys.
#include "gyre/ir/order_bits.hpp"

#include "gyre/ir/scalar_ops.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

template <class T>
class OrderBitsOf : public ::testing::Test {};
using Types = ::testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(OrderBitsOf, Types);

// The order that `order` means, by the operator.
template <class T>
bool precedes(const KeyOrder& order, T a, T b) {
  if (order.negated) return ops::before(-a, -b);
  return order.swapped ? ops::before(b, a) : ops::before(a, b);
}

TYPED_TEST(OrderBitsOf, StandAsTheirKeysDo) {
  using T = TypeParam;
  support::Random random(1);
  const KeyOrder other =
      std::is_floating_point_v<T> ? KeyOrder{.negated = true} : KeyOrder{.swapped = true};
  for (int round = 0; round < 20'000; ++round) {
    const T a = random.value(type_of<T>).template as<T>();
    const T b = random.chance(20) ? a : random.value(type_of<T>).template as<T>();
    for (const KeyOrder& order : {KeyOrder{}, other, KeyOrder{.swapped = true}}) {
      ASSERT_EQ(order_bits(order, a) < order_bits(order, b), precedes(order, a, b))
          << a << " and " << b;
    }
  }
}

TEST(OrderBits, KeepZerosApartAndNanTogetherAtTheEnd) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();

  EXPECT_LT(order_bits({}, -0.0F), order_bits({}, 0.0F));
  EXPECT_LT(order_bits({}, infinity), order_bits({}, nan));
  EXPECT_EQ(order_bits({}, nan), order_bits({}, -nan));
  EXPECT_LT(order_bits({.negated = true}, 0.0F), order_bits({.negated = true}, -0.0F));
  EXPECT_EQ(order_bits({.negated = true}, nan), ~std::uint32_t{0});
}

}  // namespace
}  // namespace gyre::ir
