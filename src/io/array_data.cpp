#include "gyre/io/array_data.hpp"

#include "gyre/base/error.hpp"
#include "gyre/ir/half.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

namespace gyre::io {

namespace {

template <class T>
T load(const std::byte* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

template <class T>
void store(T value, std::byte* place) {
  std::memcpy(place, &value, sizeof value);
}

ArrayElement element_of(std::int64_t value) {
  return {.is_integer = true, .integer = value};
}

ArrayElement element_of(double value) {
  return {.is_integer = false, .real = value};
}

std::optional<std::int64_t> exact_integer(const ArrayElement& element) {
  if (element.is_integer) return element.integer;
  constexpr double two_to_63 = 9223372036854775808.0;
  const double value = element.real;
  // NaN fails the first comparison.
  if (!(value >= -two_to_63) || value >= two_to_63 || value != std::trunc(value)) return {};
  return static_cast<std::int64_t>(value);
}

bool store_integer(std::int64_t value, ir::ScalarType type, std::byte* place) {
  switch (type) {
    case ir::ScalarType::Bool:
      if (value != 0 && value != 1) return false;
      store(static_cast<std::uint8_t>(value), place);
      return true;
    case ir::ScalarType::I32:
      if (value < std::numeric_limits<std::int32_t>::min() ||
          value > std::numeric_limits<std::int32_t>::max()) {
        return false;
      }
      store(static_cast<std::int32_t>(value), place);
      return true;
    default: store(value, place); return true;
  }
}

float to_f32(const ArrayElement& element) {
  return element.is_integer ? static_cast<float>(element.integer)
                            : static_cast<float>(element.real);
}

std::string text_of(const ArrayElement& element) {
  return element.is_integer ? std::to_string(element.integer) : std::to_string(element.real);
}

}  // namespace

ArrayElement load_element(const ArrayView& array, std::size_t k) {
  const std::byte* place = array.bytes.data() + k * ir::size_of(array.type);
  switch (array.type) {
    case ir::ScalarType::Bool: return element_of(std::int64_t{load<std::uint8_t>(place) != 0});
    case ir::ScalarType::I32: return element_of(std::int64_t{load<std::int32_t>(place)});
    case ir::ScalarType::I64: return element_of(load<std::int64_t>(place));
    case ir::ScalarType::F32: return element_of(double{load<float>(place)});
    case ir::ScalarType::F64: return element_of(load<double>(place));
    case ir::ScalarType::F16:
      return element_of(double{ir::f32_from_f16(load<std::uint16_t>(place))});
    case ir::ScalarType::BF16:
      return element_of(double{ir::f32_from_bf16(load<std::uint16_t>(place))});
    case ir::ScalarType::Invalid: break;
  }
  GYRE_CHECK(false, "an array has elements of some type");
  return {};
}

bool store_element(const ArrayElement& element, ir::ScalarType type, std::byte* place) {
  if (ir::is_integer(type) || type == ir::ScalarType::Bool) {
    const auto integer = exact_integer(element);
    return integer && store_integer(*integer, type, place);
  }
  const bool finite = element.is_integer || std::isfinite(element.real);
  if (type == ir::ScalarType::F64) {
    store(element.is_integer ? static_cast<double>(element.integer) : element.real, place);
    return true;
  }
  const float value = to_f32(element);
  if (type == ir::ScalarType::F32) {
    if (finite && std::isinf(value)) return false;
    store(value, place);
    return true;
  }
  GYRE_CHECK(ir::is_storage_only(type), "an array has elements of some type");
  const bool is_f16 = type == ir::ScalarType::F16;
  const std::uint16_t bits = is_f16 ? ir::f16_from_f32(value) : ir::bf16_from_f32(value);
  if (finite && std::isinf(is_f16 ? ir::f32_from_f16(bits) : ir::f32_from_bf16(bits))) return false;
  store(bits, place);
  return true;
}

ArrayData convert_array(ArrayData array, ir::ScalarType type, std::string_view name) {
  const std::size_t count = verify_array(array.view());
  if (array.type == type) return array;
  ArrayData result{.type = type, .extents = array.extents, .bytes = {}};
  const std::size_t size = ir::size_of(type);
  result.bytes.resize(count * size);
  for (std::size_t k = 0; k < count; ++k) {
    const auto element = load_element(array.view(), k);
    if (!store_element(element, type, result.bytes.data() + k * size)) {
      throw UsageError(std::string(name) + ": element " + std::to_string(k) + " is " +
                       text_of(element) + ", which " + std::string(ir::name_of(type)) +
                       " cannot hold");
    }
  }
  return result;
}

std::size_t verify_array(const ArrayView& array) {
  if (array.extents.empty() || array.extents.size() > 4) {
    throw UsageError("an array has 1 to 4 dimensions, not " + std::to_string(array.extents.size()));
  }
  const std::size_t size = ir::size_of(array.type);
  const std::size_t elements = array.bytes.size() / size;
  std::size_t count = 1;
  for (const auto extent : array.extents) {
    if (extent < 0) throw UsageError("an array's extent cannot be " + std::to_string(extent));
    if (extent == 0) count = 0;
  }
  for (const auto extent : array.extents) {
    // Once past the elements there are, the product is wrong and need not grow on.
    if (count != 0 && count <= elements) {
      const auto factor = static_cast<std::size_t>(extent);
      count = factor > elements / count ? elements + 1 : count * factor;
    }
  }
  if (count == elements && array.bytes.size() % size == 0) return count;
  throw UsageError("the extents of an array must multiply to its number of elements, here " +
                   std::to_string(elements));
}

}  // namespace gyre::io
