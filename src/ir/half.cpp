#include "gyre/ir/half.hpp"

#include <bit>

namespace gyre::ir {

std::uint16_t f16_from_f32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
  // From 65520 on, half-way past the largest f16, everything rounds to infinity.
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x33000001u) return sign;  // up to 2^-25: rounds to zero

  const auto exponent = static_cast<int>(magnitude >> 23) - 127;
  std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  // A normal f16 drops 13 bits; a subnormal one drops one more for each step below 2^-14.
  const int dropped = exponent < -14 ? 13 + (-14 - exponent) : 13;
  const std::uint32_t half = 1u << (dropped - 1);
  const std::uint32_t rest = mantissa & ((1u << dropped) - 1);
  mantissa >>= dropped;
  if (rest > half || (rest == half && (mantissa & 1u) != 0)) ++mantissa;
  // Adding instead of or-ing lets a carry out of the mantissa raise the exponent.
  const std::uint32_t base =
      exponent < -14 ? 0u : static_cast<std::uint32_t>(exponent + 15 - 1) << 10;
  return static_cast<std::uint16_t>(sign | (base + mantissa));
}

float f32_from_f16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu;
  const std::uint32_t mantissa = bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

std::uint16_t bf16_from_f32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  const std::uint32_t round = 0x7fffu + ((bits >> 16) & 1u);
  return static_cast<std::uint16_t>((bits + round) >> 16);
}

float f32_from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace gyre::ir
