/// What most passes share: a program being rewritten, and the small pieces they put into it.
#pragma once

#include "gyre/ir/fresh_names.hpp"
#include "gyre/ir/program.hpp"
#include "gyre/ir/rewriter.hpp"

#include <string>

namespace gyre::passes {

/// A Rewriter that may add symbols to the program it rewrites.
class Pass : public ir::Rewriter {
 public:
  explicit Pass(ir::Program program) : program_(std::move(program)), names_(program_) {}

  /// The program with its body rewritten.
  ir::Program run() {
    program_.body = rewrite_body(program_.body);
    return std::move(program_);
  }

 protected:
  /// A new scalar of the pass's own, named after `base`.
  ir::SymbolId add_var(const std::string& base, ir::ScalarType type);
  ir::SymbolId add_let(const std::string& base, ir::ScalarType type);
  ir::SymbolId add_index(const std::string& base, ir::ScalarType type);

  ir::Expr read(ir::SymbolId symbol) const;
  static ir::Expr constant(bool value);

  ir::Region declare(ir::SymbolId symbol) const;
  /// `symbol = value`; `path` is where a fault in it is reported.
  static ir::Region assign(ir::SymbolId symbol, ir::Expr value, const std::string& path = {});
  static ir::Region let(ir::SymbolId symbol, ir::Expr value, const std::string& path = {});

  ir::Program program_;
  ir::FreshNames names_;

 private:
  ir::SymbolId add(ir::SymbolKind kind, ir::Intent intent, const std::string& base,
                   ir::ScalarType type);
};

}  // namespace gyre::passes
