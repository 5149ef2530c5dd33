/// The two 16-bit storage formats, as bits: f16 (IEEE binary16) and bf16 (the upper half of an
/// f32).
///
/// Conversions round to nearest, ties to even, as the hardware's do; a NaN stays a NaN.
#pragma once

#include "gyre/ir/value.hpp"

#include <cstdint>

namespace gyre::ir {

std::uint16_t f16_from_f32(float value);
float f32_from_f16(std::uint16_t bits);
std::uint16_t bf16_from_f32(float value);
float f32_from_bf16(std::uint16_t bits);

}  // namespace gyre::ir

namespace gyre {

/// One f16 of a caller's memory: storage that converts to and from f32 and does no arithmetic.
struct f16 {
  std::uint16_t bits = 0;

  f16() = default;
  explicit f16(float value) : bits(ir::f16_from_f32(value)) {}
  explicit operator float() const { return ir::f32_from_f16(bits); }
};

/// One bf16 of a caller's memory, likewise.
struct bf16 {
  std::uint16_t bits = 0;

  bf16() = default;
  explicit bf16(float value) : bits(ir::bf16_from_f32(value)) {}
  explicit operator float() const { return ir::f32_from_bf16(bits); }
};

}  // namespace gyre

namespace gyre::ir {

template <>
inline constexpr ScalarType type_of<f16> = ScalarType::F16;
template <>
inline constexpr ScalarType type_of<bf16> = ScalarType::BF16;

}  // namespace gyre::ir
