/// One scalar value with its type.
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/ir/scalar_type.hpp"

#include <bit>
#include <cstdint>
#include <string>

namespace gyre::ir {

/// The scalar type of a C++ type: `type_of<double>` is f64.
template <class T>
inline constexpr ScalarType type_of = ScalarType::Invalid;
template <>
inline constexpr ScalarType type_of<bool> = ScalarType::Bool;
template <>
inline constexpr ScalarType type_of<std::int32_t> = ScalarType::I32;
template <>
inline constexpr ScalarType type_of<std::int64_t> = ScalarType::I64;
template <>
inline constexpr ScalarType type_of<float> = ScalarType::F32;
template <>
inline constexpr ScalarType type_of<double> = ScalarType::F64;

/// A bool, i32, i64, f32 or f64. Held as its bits, so that copying one never touches a NaN.
class Value {
 public:
  Value() = default;
  explicit Value(bool v) : type_(ScalarType::Bool), bits_(v ? 1 : 0) {}
  explicit Value(std::int32_t v) : type_(ScalarType::I32), bits_(std::bit_cast<std::uint32_t>(v)) {}
  explicit Value(std::int64_t v) : type_(ScalarType::I64), bits_(std::bit_cast<std::uint64_t>(v)) {}
  explicit Value(float v) : type_(ScalarType::F32), bits_(std::bit_cast<std::uint32_t>(v)) {}
  explicit Value(double v) : type_(ScalarType::F64), bits_(std::bit_cast<std::uint64_t>(v)) {}

  /// 0, 0.0 or false.
  static Value zero(ScalarType type);

  ScalarType type() const { return type_; }
  std::uint64_t bits() const { return bits_; }

  /// The value as the C++ type that it has; asking for another type is an internal error.
  template <class T>
  T as() const {
    GYRE_CHECK(type_ == type_of<T>, "a value was read as a type that it has not");
    if constexpr (sizeof(T) == 1) {
      return bits_ != 0;
    } else if constexpr (sizeof(T) == 4) {
      return std::bit_cast<T>(static_cast<std::uint32_t>(bits_));
    } else {
      return std::bit_cast<T>(bits_);
    }
  }
  /// Any integer as i64.
  std::int64_t as_integer() const;

  /// The same type and bits, where any NaN equals any NaN.
  friend bool same(const Value& a, const Value& b);

 private:
  ScalarType type_ = ScalarType::Invalid;
  std::uint64_t bits_ = 0;
};

/// Shortest text that reads back to the same value: `1.5`, `-0.0`, `inf`, `nan`, `true`.
std::string to_string(const Value& value);

/// Calls `function` with a zero of the C++ type of `type`; the one place that maps the five value
/// types to C++ types.
template <class Function>
decltype(auto) dispatch(ScalarType type, Function&& function) {
  switch (type) {
    case ScalarType::Bool: return function(false);
    case ScalarType::I32: return function(std::int32_t{});
    case ScalarType::I64: return function(std::int64_t{});
    case ScalarType::F32: return function(float{});
    case ScalarType::F64: return function(double{});
    default: break;
  }
  GYRE_CHECK(false, "a value of no type");
  return function(false);
}

}  // namespace gyre::ir
