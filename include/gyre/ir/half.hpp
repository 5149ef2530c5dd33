/// The two 16-bit storage formats, as bits: f16 (IEEE binary16) and bf16 (the upper half of an
/// f32).
///
/// Conversions round to nearest, ties to even, as the hardware's do; a NaN stays a NaN.
#pragma once

#include <cstdint>

namespace gyre::ir {

std::uint16_t f16_from_f32(float value);
float f32_from_f16(std::uint16_t bits);
std::uint16_t bf16_from_f32(float value);
float f32_from_bf16(std::uint16_t bits);

}  // namespace gyre::ir
