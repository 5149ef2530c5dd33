#include "gyre/ir/scalar_type.hpp"

#include "gyre/base/error.hpp"

#include <array>
#include <utility>

namespace gyre::ir {
namespace {

struct Row {
  ScalarType type;
  std::string_view name;
  std::size_t size;
};

constexpr std::array<Row, 8> types = {{{ScalarType::Invalid, "<invalid>", 0},
                                       {ScalarType::Bool, "bool", 1},
                                       {ScalarType::I32, "i32", 4},
                                       {ScalarType::I64, "i64", 8},
                                       {ScalarType::F32, "f32", 4},
                                       {ScalarType::F64, "f64", 8},
                                       {ScalarType::F16, "f16", 2},
                                       {ScalarType::BF16, "bf16", 2}}};

const Row& row_of(ScalarType type) {
  return types.at(static_cast<std::size_t>(type));
}

}  // namespace

std::string_view name_of(ScalarType type) {
  return row_of(type).name;
}

std::size_t size_of(ScalarType type) {
  return row_of(type).size;
}

std::optional<ScalarType> parse_scalar_type(std::string_view name) {
  for (const Row& row : types) {
    if (row.type != ScalarType::Invalid && row.name == name) return row.type;
  }
  return std::nullopt;
}

}  // namespace gyre::ir
