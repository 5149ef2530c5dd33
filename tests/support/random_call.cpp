#include "support/random_call.hpp"

#include "gyre/ir/eval.hpp"
#include "gyre/ir/value.hpp"
#include "support/random_statement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace gyre::support {
namespace {

using ir::Access;
using ir::ScalarType;

struct Row {
  Access access;
  char letter;
};
constexpr std::array rows = {Row{Access::Read, 'r'}, Row{Access::Write, 'w'},
                             Row{Access::ReadWrite, 'u'}};

std::uint64_t mixed(std::uint64_t state, std::uint64_t more) {
  state = (state ^ more) * 0x9e3779b97f4a7c15U;
  return state ^ (state >> 29);
}

// All NaNs are one: which of them an executor has is nobody's business.
std::uint64_t bits_of(const ir::Value& value) {
  if (!is_float(value.type())) {
    return static_cast<std::uint64_t>(ir::convert(value, ScalarType::I64).as_integer());
  }
  const auto number = ir::convert(value, ScalarType::F64).as<double>();
  return number != number ? 1 : std::bit_cast<std::uint64_t>(number);
}

void mix(const std::vector<Access>& accesses, const ir::HostCallContext& context) {
  std::uint64_t state = accesses.size();
  for (std::size_t a = 0; a < accesses.size(); ++a) {
    const ir::BufferView& view = context.arguments[a];
    const std::int64_t count = view.element_count();
    state = mixed(state, static_cast<std::uint64_t>(count));
    for (std::int64_t i = 0; accesses[a] != Access::Write && i < count; ++i) {
      state = mixed(state, bits_of(ir::load_element(view.type, view.data, i)));
    }
  }
  for (std::size_t a = 0; a < accesses.size(); ++a) {
    const ir::BufferView& view = context.arguments[a];
    for (std::int64_t i = 0; accesses[a] != Access::Read && i < view.element_count(); ++i) {
      state = mixed(state, static_cast<std::uint64_t>(i));
      const ir::Value small(static_cast<std::int64_t>(state % 201) - 100);
      ir::store_element(view.type, view.data, i, ir::convert(small, ir::loaded_type(view.type)));
    }
  }
}

void add_calls(const std::string& name, const std::vector<Access>& accesses,
               text::CallRegistry& calls) {
  if (!accesses.empty()) {
    ir::Callee callee{.name = name,
                      .accesses = accesses,
                      .host = [accesses](ir::HostCallContext& context) { mix(accesses, context); },
                      .placement = ir::Placement::Host};
    calls.emplace(name, std::make_shared<const ir::Callee>(std::move(callee)));
  }
  if (accesses.size() == 3) return;
  for (const Row& row : rows) {
    std::vector<Access> longer = accesses;
    longer.push_back(row.access);
    add_calls(name + row.letter, longer, calls);
  }
}

}  // namespace

const text::CallRegistry& mixing_calls() {
  static const text::CallRegistry all = [] {
    text::CallRegistry calls;
    add_calls("mix_", {}, calls);
    return calls;
  }();
  return all;
}

// Each object once: what a call writes it may not be given twice.
void StatementMaker::call(const Scope& scope, std::vector<ir::Region>& out) {
  std::vector<std::pair<ir::SymbolId, bool>> objects;
  const auto add = [&](const std::vector<ir::SymbolId>& from, bool is_writable) {
    for (const ir::SymbolId id : from) {
      const auto kind = world_.program[id].kind;
      const bool is_object = kind == ir::SymbolKind::Scalar || kind == ir::SymbolKind::Buffer;
      const auto is_it = [&](const auto& object) { return object.first == id; };
      if (is_object && std::none_of(objects.begin(), objects.end(), is_it)) {
        objects.emplace_back(id, is_writable);
      }
    }
  };
  add(scope.assignable, true);
  add(scope.storable, true);
  add(scope.readable, false);
  add(scope.loadable, false);
  std::string name = "mix_";
  ir::Call op;
  for (auto wanted = random_.between(1, 3); wanted > 0 && !objects.empty(); --wanted) {
    const auto at = objects.begin() + random_.between(0, std::ssize(objects) - 1);
    const auto& [object, is_writable] = *at;
    const std::size_t row = is_writable ? static_cast<std::size_t>(random_.between(0, 2)) : 0;
    name += rows[row].letter;
    op.arguments.push_back(object);
    objects.erase(at);
  }
  if (op.arguments.empty()) return;
  op.callee = mixing_calls().at(name);
  out.push_back(ir::make_region(std::move(op)));
}

}  // namespace gyre::support
