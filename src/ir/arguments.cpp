#include "gyre/ir/arguments.hpp"

#include "gyre/ir/half.hpp"

#include <cstring>

namespace gyre::ir {
namespace {

template <class T>
T read_at(const void* data, std::int64_t at) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + at * static_cast<std::int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

template <class T>
void write_at(void* data, std::int64_t at, T value) {
  std::memcpy(static_cast<char*>(data) + at * static_cast<std::int64_t>(sizeof(T)), &value,
              sizeof(T));
}

}  // namespace

std::int64_t BufferView::element_count() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) {
    if (extent == 0) return 0;
  }
  // Without a 0 among them no partial product exceeds the whole, which resolve() has checked.
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

std::string shape_text(ScalarType type, std::span<const std::int64_t> extents) {
  std::string text(name_of(type));
  for (std::size_t d = 0; d < extents.size(); ++d) {
    text += (d == 0 ? "[" : ", ") + std::to_string(extents[d]);
  }
  return extents.empty() ? text : text + "]";
}

Value load_element(ScalarType type, const void* data, std::int64_t at) {
  switch (type) {
    // Any byte but 0 is true: a bool buffer may come from memory with dirty bits.
    case ScalarType::Bool: return Value(read_at<std::uint8_t>(data, at) != 0);
    case ScalarType::F16: return Value(f32_from_f16(read_at<std::uint16_t>(data, at)));
    case ScalarType::BF16: return Value(f32_from_bf16(read_at<std::uint16_t>(data, at)));
    default: break;
  }
  return dispatch(type, [&](auto zero) { return Value(read_at<decltype(zero)>(data, at)); });
}

void store_element(ScalarType type, void* data, std::int64_t at, const Value& value) {
  switch (type) {
    case ScalarType::Bool:
      return write_at(data, at, static_cast<std::uint8_t>(value.as<bool>() ? 1 : 0));
    case ScalarType::F16: return write_at(data, at, f16_from_f32(value.as<float>()));
    case ScalarType::BF16: return write_at(data, at, bf16_from_f32(value.as<float>()));
    default: break;
  }
  dispatch(type, [&](auto zero) { write_at(data, at, value.as<decltype(zero)>()); });
}

}  // namespace gyre::ir
