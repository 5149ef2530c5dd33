/// The types of gyre's values and of the elements of its buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gyre::ir {

enum class ScalarType : std::uint8_t {
  /// The type of an expression that has none: its operands do not fit. The verifier says why; what
  /// is built on it stays silent.
  Invalid,
  Bool,
  I32,
  I64,
  F32,
  F64,
  /// Storage only: loaded as f32, stored from f32.
  F16,
  BF16,
};

/// The spelling in programs: `f64`.
std::string_view name_of(ScalarType type);
std::optional<ScalarType> parse_scalar_type(std::string_view name);

/// Bytes of one element in a buffer; a bool is one byte, true where it is not 0.
std::size_t size_of(ScalarType type);

constexpr bool is_integer(ScalarType t) {
  return t == ScalarType::I32 || t == ScalarType::I64;
}
constexpr bool is_storage_only(ScalarType t) {
  return t == ScalarType::F16 || t == ScalarType::BF16;
}
/// A float that arithmetic is done in.
constexpr bool is_float(ScalarType t) {
  return t == ScalarType::F32 || t == ScalarType::F64;
}
constexpr bool is_number(ScalarType t) {
  return is_integer(t) || is_float(t);
}

/// The type that an element of `type` has once it is loaded: f32 for f16 and bf16.
constexpr ScalarType loaded_type(ScalarType type) {
  return is_storage_only(type) ? ScalarType::F32 : type;
}

/// Whether `from` becomes `to` by itself: the same type, i32 to i64, f32 to f64.
constexpr bool widens(ScalarType from, ScalarType to) {
  return from == to || (from == ScalarType::I32 && to == ScalarType::I64) ||
         (from == ScalarType::F32 && to == ScalarType::F64);
}

}  // namespace gyre::ir
