/// Arguments that own their memory, so that a program may be run several times from one start.
#pragma once

#include "gyre/ir/arguments.hpp"
#include "gyre/ir/program.hpp"
#include "support/random.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gyre::support {

struct OwnedBuffer {
  ir::ScalarType type;
  std::vector<std::int64_t> extents;
  std::vector<std::byte> bytes;

  std::int64_t element_count() const { return view_of_nothing().element_count(); }
  ir::Value at(std::int64_t element) const { return ir::load_element(type, bytes.data(), element); }

 private:
  ir::BufferView view_of_nothing() const { return {type, extents, nullptr}; }
};

struct OwnedArguments {
  std::map<std::string, std::int64_t> sizes;
  std::map<std::string, ir::Value> scalars;
  std::map<std::string, OwnedBuffer> buffers;

  void add(const std::string& name, ir::ScalarType type, std::vector<std::int64_t> extents);
  /// Views of what `program` binds, valid while this object lives unchanged.
  ir::Arguments view(const ir::Program& program);
};

/// Random contents for every object of `program` that a caller binds, where `extents` gives each
/// buffer its shape.
OwnedArguments random_arguments(const ir::Program& program,
                                const std::map<ir::SymbolId, std::int64_t>& sizes,
                                const std::map<ir::SymbolId, std::vector<std::int64_t>>& extents,
                                Random& random);

}  // namespace gyre::support
