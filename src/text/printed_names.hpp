/// The names under which symbols are printed.
#pragma once

#include "gyre/ir/program.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gyre::text {

/// Follows the printer through the blocks of a program and gives each symbol a name that the
/// parser takes: a legal one, which no visible symbol has.
class PrintedNames {
 public:
  explicit PrintedNames(const ir::Program& program) : program_(program) {}

  void enter() { marks_.push_back(declared_.size()); }
  void leave();
  /// Names `symbol` from here to the end of the block.
  void declare(ir::SymbolId symbol);
  /// The name declared last, or the symbol's own where it never was declared.
  std::string operator[](ir::SymbolId symbol) const;

  /// `name` as an identifier that is no keyword.
  static std::string legal(std::string_view name);

 private:
  struct Declared {
    ir::SymbolId symbol;
    /// What the symbol was called around this block; usually nothing.
    std::string before;
  };

  const ir::Program& program_;
  /// Of what is declared.
  std::unordered_map<ir::SymbolId, std::string> names_;
  std::unordered_set<std::string> visible_;
  std::vector<Declared> declared_;
  std::vector<std::size_t> marks_;
};

}  // namespace gyre::text
