/// Buffers of a program by their names, on the GPU, for executables and for executors alike.
#pragma once

#include "gyre/ir/bind.hpp"
#include "gyre/runtime/executable.hpp"
#include "support/device_array.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gyre::bench {

class DeviceMemory {
 public:
  template <class T>
  void add(const std::string& name, const std::vector<T>& values,
           std::vector<std::int64_t> extents) {
    Piece piece{DeviceArray<std::byte>(values.size() * sizeof(T)), ir::type_of<T>,
                std::move(extents)};
    must(
        cudaMemcpy(piece.bytes.data(), values.data(), piece.bytes.bytes(), cudaMemcpyHostToDevice));
    pieces_.insert_or_assign(name, std::move(piece));
  }
  void clear(const std::string& name) { pieces_.at(name).bytes.clear(); }
  void* at(const std::string& name) const { return pieces_.at(name).bytes.data(); }
  template <class T>
  std::vector<T> to_host(const std::string& name) const {
    const Piece& piece = pieces_.at(name);
    std::vector<T> values(piece.bytes.bytes() / sizeof(T));
    must(
        cudaMemcpy(values.data(), piece.bytes.data(), piece.bytes.bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

  /// Those that a program of these symbols asks its caller for.
  ir::Arguments arguments(std::span<const ir::Symbol> symbols) const {
    ir::Arguments arguments;
    for (const ir::Symbol& symbol : symbols) {
      const auto found = pieces_.find(symbol.name);
      if (!is_given(symbol) || found == pieces_.end()) continue;
      const Piece& piece = found->second;
      arguments.buffers[symbol.name] = {piece.type, piece.extents, piece.bytes.data()};
    }
    return arguments;
  }
  void bind(Executable& executable) const {
    for (const auto& [name, view] : arguments(executable.plan().symbols).buffers) {
      executable.bind(name, view);
    }
  }

 private:
  static bool is_given(const ir::Symbol& symbol) {
    return symbol.kind == ir::SymbolKind::Buffer &&
           (symbol.intent == ir::Intent::In || symbol.intent == ir::Intent::Out ||
            symbol.intent == ir::Intent::Inout);
  }

  struct Piece {
    DeviceArray<std::byte> bytes;
    ir::ScalarType type;
    std::vector<std::int64_t> extents;
  };
  std::map<std::string, Piece> pieces_;
};

}  // namespace gyre::bench
