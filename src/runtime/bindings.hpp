/// What is bound to an executable, checked by name and type as it comes.
///
/// Extents, overlaps and what is missing are checked at launch, by ir::resolve.
#pragma once

#include "gyre/ir/arguments.hpp"
#include "gyre/ir/program.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gyre {

/// UsageError unless there are as many extents as the buffer has dimensions.
void check_rank(const ir::Symbol& buffer, const std::vector<std::int64_t>& extents);

class Bindings {
 public:
  /// `symbols` outlive the bindings.
  explicit Bindings(std::span<const ir::Symbol> symbols) : symbols_(symbols) {}

  void bind(std::string_view buffer, ir::BufferView memory, bool constant);
  /// The `in` buffer of that name and rank.
  const ir::Symbol& check_input(std::string_view buffer,
                                const std::vector<std::int64_t>& extents) const;
  /// Returns which scalar it is, and its value as of its own type.
  std::pair<ir::SymbolId, ir::Value> set(std::string_view scalar, const ir::Value& value);
  void set_size(std::string_view size, std::int64_t value);

  const ir::Arguments& arguments() const { return arguments_; }

 private:
  const ir::Symbol& find(std::string_view name, ir::SymbolKind kind) const;

  std::span<const ir::Symbol> symbols_;
  ir::Arguments arguments_;
};

}  // namespace gyre
