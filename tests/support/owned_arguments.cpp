#include "support/owned_arguments.hpp"

#include <utility>

namespace gyre::support {

OwnedArguments& OwnedArguments::with(const std::string& name, ir::Value scalar) {
  scalars.insert_or_assign(name, scalar);
  return *this;
}

void OwnedArguments::add(const std::string& name, ir::ScalarType type,
                         std::vector<std::int64_t> extents) {
  OwnedBuffer buffer{type, std::move(extents), {}};
  buffer.bytes.resize(static_cast<std::size_t>(buffer.element_count()) * ir::size_of(type));
  buffers.insert_or_assign(name, std::move(buffer));
}

ir::Arguments OwnedArguments::view(const ir::Program& program) {
  ir::Arguments arguments;
  for (const ir::Symbol& symbol : program.symbols) {
    if (const auto size = sizes.find(symbol.name); size != sizes.end())
      arguments.sizes.insert(*size);
    if (const auto scalar = scalars.find(symbol.name); scalar != scalars.end()) {
      arguments.scalars.insert(*scalar);
    }
    if (const auto found = buffers.find(symbol.name); found != buffers.end()) {
      OwnedBuffer& buffer = found->second;
      arguments.buffers[symbol.name] = {buffer.type, buffer.extents, buffer.bytes.data()};
    }
  }
  return arguments;
}

OwnedArguments random_arguments(const ir::Program& program,
                                const std::map<ir::SymbolId, std::int64_t>& sizes,
                                const std::map<ir::SymbolId, std::vector<std::int64_t>>& extents,
                                Random& random) {
  OwnedArguments arguments;
  for (const auto& [id, size] : sizes) arguments.sizes[program[id].name] = size;
  for (const ir::SymbolId id : program.all(ir::SymbolKind::Scalar)) {
    const ir::Symbol& symbol = program[id];
    if (symbol.intent != ir::Intent::In && symbol.intent != ir::Intent::Inout) continue;
    if (symbol.initial && random.chance(50)) continue;
    arguments.scalars[symbol.name] = random.value(symbol.type);
  }
  for (const ir::SymbolId id : program.all(ir::SymbolKind::Buffer)) {
    const ir::Symbol& symbol = program[id];
    if (symbol.intent == ir::Intent::Temp) continue;
    arguments.add(symbol.name, symbol.type, extents.at(id));
    OwnedBuffer& buffer = arguments.buffers.at(symbol.name);
    const std::int64_t count = buffer.element_count();
    for (std::int64_t i = 0; i < count; ++i) {
      ir::store_element(buffer.type, buffer.bytes.data(), i,
                        random.value(ir::loaded_type(buffer.type)));
    }
  }
  return arguments;
}

}  // namespace gyre::support
