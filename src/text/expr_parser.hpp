/// Reads expressions, ranges and places.
#pragma once

#include "cursor.hpp"
#include "gyre/ir/expr.hpp"
#include "gyre/ir/op.hpp"
#include "gyre/ir/region.hpp"
#include "names.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gyre::text {

class ExprParser {
 public:
  ExprParser(Cursor& cursor, Names& names) : cursor_(cursor), names_(names) {}

  ir::Expr parse();
  /// `expr { "," expr }`, up to the closing bracket.
  std::vector<ir::Expr> parse_list();
  /// `range { "," range }`; their indices are declared in the names' innermost block.
  std::vector<ir::Range> parse_ranges();
  ir::Range parse_range();
  /// What an assignment stores to.
  ir::Place parse_place();
  /// The type of a place's values.
  ir::ScalarType place_type(const ir::Place& place) const;
  /// A type's keyword.
  ir::ScalarType parse_type();
  /// An integer with an optional minus.
  std::int64_t parse_integer(std::string_view what);

 private:
  struct UnboundRange {
    Token name;
    ir::Range range;
  };
  class Nesting;

  ir::Expr parse_binary(ir::OpForm loosest);
  ir::Expr parse_unary();
  ir::Expr parse_negative();
  ir::Expr parse_primary();
  ir::Expr parse_literal();
  ir::Expr parse_integer_literal(bool negative);
  ir::Expr parse_named();
  ir::Expr parse_read(const Token& name);
  ir::Expr parse_load(const Token& name);
  ir::Expr parse_cast();
  ir::Expr parse_function(const Token& name);
  ir::Expr parse_fold(ir::FoldOp op, const Token& name);
  ir::Expr parse_parenthesised();
  std::vector<ir::Expr> parse_index();
  UnboundRange parse_unbound_range();
  ir::Range bind(UnboundRange range);
  ir::Expr checked(ir::Expr expr);
  ir::Expr poison(const SourceLoc& loc) const;

  Cursor& cursor_;
  Names& names_;
  std::uint32_t nesting_ = 0;
};

}  // namespace gyre::text
