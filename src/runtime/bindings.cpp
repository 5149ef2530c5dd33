#include "bindings.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/suggestion.hpp"
#include "gyre/ir/eval.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace gyre {
namespace {

bool is_bound(const ir::Symbol& symbol) {
  switch (symbol.kind) {
    case ir::SymbolKind::Size: return true;
    case ir::SymbolKind::Buffer: return symbol.intent != ir::Intent::Temp;
    case ir::SymbolKind::Scalar:
      return symbol.intent == ir::Intent::In || symbol.intent == ir::Intent::Inout;
    default: return false;
  }
}

std::string how_to_give(ir::SymbolKind kind) {
  switch (kind) {
    case ir::SymbolKind::Size: return "a size: give it with set_size";
    case ir::SymbolKind::Buffer: return "a buffer: give it memory with bind";
    default: return "a scalar: give it a value with set";
  }
}

std::string word(ir::SymbolKind kind) {
  switch (kind) {
    case ir::SymbolKind::Size: return "size";
    case ir::SymbolKind::Buffer: return "buffer";
    default: return "scalar";
  }
}

// `value` as `type`, or nothing where that would change it.
std::optional<ir::Value> exactly(const ir::Value& value, ir::ScalarType type) {
  if (ir::widens(value.type(), type)) return ir::convert(value, type);
  if (!ir::is_number(value.type()) || !ir::is_number(type)) return std::nullopt;
  if (ir::is_float(value.type()) && ir::is_integer(type)) return std::nullopt;
  const auto converted = ir::convert(value, type);
  return same(ir::convert(converted, value.type()), value) ? std::optional(converted)
                                                           : std::nullopt;
}

}  // namespace

void check_rank(const ir::Symbol& buffer, const std::vector<std::int64_t>& extents) {
  if (extents.size() == buffer.extents.size()) return;
  throw UsageError("buffer '" + buffer.name + "' has rank " +
                   std::to_string(buffer.extents.size()) + ", but " +
                   std::to_string(extents.size()) + " extents were given");
}

const ir::Symbol& Bindings::find(std::string_view name, ir::SymbolKind kind) const {
  std::vector<std::string> names;
  for (const ir::Symbol& symbol : symbols_) {
    if (!is_bound(symbol)) continue;
    if (symbol.name == name && symbol.kind == kind) return symbol;
    if (symbol.name == name) {
      throw UsageError("'" + symbol.name + "' is " + how_to_give(symbol.kind));
    }
    if (symbol.kind == kind) names.push_back(symbol.name);
  }
  throw UsageError("the program has no " + word(kind) + " '" + std::string(name) +
                   "' that a caller gives" + suggestion(name, names));
}

void Bindings::bind(std::string_view buffer, ir::BufferView memory, bool constant) {
  const ir::Symbol& symbol = find(buffer, ir::SymbolKind::Buffer);
  if (memory.type != symbol.type) {
    throw UsageError("buffer '" + symbol.name + "' is of " + std::string(name_of(symbol.type)) +
                     ", but memory of " + std::string(name_of(memory.type)) + " was given");
  }
  check_rank(symbol, memory.extents);
  if (constant && symbol.intent != ir::Intent::In) {
    throw UsageError("buffer '" + symbol.name + "' is written, but constant memory was given");
  }
  arguments_.buffers.insert_or_assign(symbol.name, std::move(memory));
}

const ir::Symbol& Bindings::check_input(std::string_view buffer,
                                        const std::vector<std::int64_t>& extents) const {
  const ir::Symbol& symbol = find(buffer, ir::SymbolKind::Buffer);
  check_rank(symbol, extents);
  if (symbol.intent != ir::Intent::In) {
    throw UsageError("buffer '" + symbol.name + "' is written, so it is no input alone");
  }
  return symbol;
}

std::pair<ir::SymbolId, ir::Value> Bindings::set(std::string_view scalar, const ir::Value& value) {
  const ir::Symbol& symbol = find(scalar, ir::SymbolKind::Scalar);
  const auto held = exactly(value, symbol.type);
  if (!held) {
    throw UsageError("scalar '" + symbol.name + "' is of " + std::string(name_of(symbol.type)) +
                     ", which does not hold " + to_string(value) + " of " +
                     std::string(name_of(value.type())) + "; convert it first");
  }
  arguments_.scalars.insert_or_assign(symbol.name, *held);
  return {static_cast<ir::SymbolId>(&symbol - symbols_.data()), *held};
}

void Bindings::set_size(std::string_view size, std::int64_t value) {
  const ir::Symbol& symbol = find(size, ir::SymbolKind::Size);
  if (value < 0) {
    throw UsageError("size '" + symbol.name + "' cannot be " + std::to_string(value));
  }
  arguments_.sizes.insert_or_assign(symbol.name, value);
}

}  // namespace gyre
