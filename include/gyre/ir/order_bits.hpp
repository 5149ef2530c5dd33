/// The order of a sort as that of unsigned numbers, for host and device alike.
///
/// Radix sorts look at bits and know neither NaN nor -0.0; a key's order bits stand where the key
/// does. Leaves out which order a statement has (primitive.hpp).
#pragma once

#include "gyre/ir/host_device.hpp"
#include "gyre/ir/primitive.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace gyre::ir {

/// As many bits as a key of `T`, an i32, i64, f32 or f64, has.
template <class T>
using OrderBits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// The number of `key` among all of its type: that of one key is less than that of another where it
/// stands before it, and equal where neither does. All NaN are one key. Integers are never negated.
template <class T>
GYRE_HOST_DEVICE OrderBits<T> order_bits(const KeyOrder& order, T key) {
  using Bits = OrderBits<T>;
  constexpr Bits sign = Bits{1} << (8 * sizeof(T) - 1);
  Bits bits{};
  std::memcpy(&bits, &key, sizeof(T));
  if constexpr (std::is_floating_point_v<T>) {
    // Negative numbers grow as their bits shrink; NaN stands behind infinity.
    if (order.negated) bits ^= sign;
    bits = key != key ? static_cast<Bits>(~Bits{0}) : (bits & sign) != 0 ? ~bits : bits | sign;
  } else {
    bits ^= sign;
  }
  return order.swapped ? ~bits : bits;
}

}  // namespace gyre::ir
