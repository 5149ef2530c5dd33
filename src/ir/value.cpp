#include "gyre/ir/value.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace gyre::ir {

Value Value::zero(ScalarType type) {
  return dispatch(type, [](auto zero) { return Value(zero); });
}

std::int64_t Value::as_integer() const {
  return type_ == ScalarType::I32 ? as<std::int32_t>() : as<std::int64_t>();
}

bool same(const Value& a, const Value& b) {
  if (a.type_ != b.type_) return false;
  if (a.bits_ == b.bits_) return true;
  if (!is_float(a.type_)) return false;
  return dispatch(a.type_, [&](auto zero) {
    using T = decltype(zero);
    const T x = a.as<T>();
    const T y = b.as<T>();
    return x != x && y != y;
  });
}

namespace {

template <class T>
std::string float_text(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  // An f32's shortest text is read back through f64; where that would round twice, more digits.
  double back = 0;
  std::from_chars(text.data(), text.data() + text.size(), back);
  if (static_cast<T>(back) != value) return float_text(static_cast<double>(value));
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string to_string(const Value& value) {
  switch (value.type()) {
    case ScalarType::Bool: return value.as<bool>() ? "true" : "false";
    case ScalarType::I32: return std::to_string(value.as<std::int32_t>());
    case ScalarType::I64: return std::to_string(value.as<std::int64_t>());
    case ScalarType::F32: return float_text(value.as<float>());
    case ScalarType::F64: return float_text(value.as<double>());
    default: return "<invalid>";
  }
}

}  // namespace gyre::ir
