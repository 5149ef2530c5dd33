#include "interpret_bulk.hpp"

#include <array>
#include <cstring>

namespace gyre::ir {

void run_call(Memory& memory, const Call& call) {
  const Callee& callee = *call.callee;
  if (!callee.host) {
    throw UsageError("call '" + callee.name + "' has no host function, so it cannot run here");
  }
  // Scalars travel as memory of one element, there and back.
  const std::size_t count = call.arguments.size();
  std::vector<std::array<std::byte, 8>> cells(count);
  HostCallContext context;
  for (std::size_t i = 0; i < count; ++i) {
    const SymbolId id = call.arguments[i];
    const Symbol& symbol = memory.symbol(id);
    if (symbol.kind == SymbolKind::Buffer) {
      context.arguments.push_back(memory.buffer(id));
      continue;
    }
    store_element(symbol.type, cells[i].data(), 0, memory.value(id));
    context.arguments.push_back({symbol.type, {}, cells[i].data()});
  }
  callee.host(context);
  for (std::size_t i = 0; i < count; ++i) {
    const SymbolId id = call.arguments[i];
    const Symbol& symbol = memory.symbol(id);
    if (symbol.kind == SymbolKind::Buffer || callee.accesses[i] == Access::Read) continue;
    memory.value(id) = load_element(symbol.type, cells[i].data(), 0);
  }
}

void run_copy(Memory& memory, const Copy& copy) {
  const BufferView& to = memory.buffer(copy.to);
  const BufferView& from = memory.buffer(copy.from);
  GYRE_CHECK(to.type == from.type, "a copy between buffers of different types");
  if (to.extents != from.extents) {
    throw UsageError("copy: the extents of '" + memory.symbol(copy.to).name + "' and '" +
                     memory.symbol(copy.from).name + "' differ in this run");
  }
  const auto bytes = static_cast<std::size_t>(to.element_count()) * size_of(to.type);
  if (bytes != 0) std::memmove(to.data, from.data, bytes);
}

void run_fill(Memory& memory, const Fill& fill, const Value& value) {
  const BufferView& view = memory.buffer(fill.buffer);
  const std::int64_t count = view.element_count();
  for (std::int64_t i = 0; i < count; ++i) store_element(view.type, view.data, i, value);
}

}  // namespace gyre::ir
