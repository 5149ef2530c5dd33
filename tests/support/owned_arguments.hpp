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

  /// A buffer of rank 1 with the given elements.
  template <class T>
  OwnedArguments& with(const std::string& name, const std::vector<T>& elements);
  OwnedArguments& with(const std::string& name, ir::Value scalar);
  /// The elements of a buffer.
  template <class T>
  std::vector<T> elements(const std::string& name) const;

  void add(const std::string& name, ir::ScalarType type, std::vector<std::int64_t> extents);
  /// Views of what `program` binds, valid while this object lives unchanged.
  ir::Arguments view(const ir::Program& program);
};

template <class T>
OwnedArguments& OwnedArguments::with(const std::string& name, const std::vector<T>& elements) {
  add(name, ir::type_of<T>, {std::ssize(elements)});
  std::int64_t at = 0;
  for (const T element : elements) {
    ir::store_element(ir::type_of<T>, buffers.at(name).bytes.data(), at++, ir::Value(element));
  }
  return *this;
}

template <class T>
std::vector<T> OwnedArguments::elements(const std::string& name) const {
  const OwnedBuffer& buffer = buffers.at(name);
  std::vector<T> elements;
  for (std::int64_t i = 0; i < buffer.element_count(); ++i) {
    elements.push_back(buffer.at(i).as<T>());
  }
  return elements;
}

/// Random contents for every object of `program` that a caller binds, where `extents` gives each
/// buffer its shape.
OwnedArguments random_arguments(const ir::Program& program,
                                const std::map<ir::SymbolId, std::int64_t>& sizes,
                                const std::map<ir::SymbolId, std::vector<std::int64_t>>& extents,
                                Random& random);

}  // namespace gyre::support
