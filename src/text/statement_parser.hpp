/// Reads declarations, statements and the program around them.
#pragma once

#include "cursor.hpp"
#include "expr_parser.hpp"
#include "gyre/ir/program.hpp"
#include "gyre/text/parser.hpp"
#include "names.hpp"

#include <cstdint>
#include <vector>

namespace gyre::text {

class StatementParser {
 public:
  StatementParser(Cursor& cursor, Names& names, ir::Program& program, const CallRegistry& calls)
      : cursor_(cursor), names_(names), program_(program), calls_(calls), exprs_(cursor, names) {}

  /// Reads the whole text into the program. Throws GiveUp where nothing more can be understood.
  void parse_program();

 private:
  using Items = std::vector<ir::Region>;
  using Parse = void (StatementParser::*)(Items&);

  // program_parser.cpp: the program, blocks, and which statement it is
  void parse_parameters();
  void parse_parameter();
  ir::Region parse_block(std::string_view where);
  void parse_items(const Token& open, Items& items);
  void parse_statement(Items& items);
  void end_statement();
  [[noreturn]] void fail_statement();

  // declaration_parser.cpp
  void parse_declarations(Items& items);
  ir::Region parse_item(ir::Intent intent);
  void parse_let(Items& items);
  template <class Body>
  auto poison_on_fault(const Token& name, Body body);

  // work_parser.cpp: what computes or moves values
  void parse_assign(Items& items);
  void parse_scatter(Items& items);
  void parse_call(Items& items);
  void parse_copy(Items& items);
  void parse_fill(Items& items);
  template <class Kind>
  void parse_of_pass(Items& items);
  ir::SymbolId parse_buffer(std::string_view what);

  // primitive_parser.cpp
  void parse_primitive(Items& items);
  void parse_primitive_outputs(ir::Primitive& primitive);
  void parse_primitive_operands(ir::Primitive& primitive);
  ir::Expr parse_primitive_operand(const ir::Primitive& primitive, std::size_t operand);
  /// Takes a word that means something only here.
  bool accept_word(std::string_view word);

  // control_parser.cpp
  void parse_foreach(Items& items);
  void parse_if(Items& items);
  ir::Region parse_if_region();
  void parse_while(Items& items);
  void parse_do(Items& items);
  void parse_limits(ir::While& loop);
  void parse_for(Items& items);
  void parse_switch(Items& items);
  void parse_cases(std::vector<ir::Case>& cases);
  ir::Case parse_case();
  ir::Case::Label parse_label();
  void parse_fork(Items& items);
  void parse_break(Items& items);
  void parse_continue(Items& items);
  void parse_stop(Items& items);
  /// What follows `team`.
  ir::Team parse_team();

  static Parse statement_of(const Token& token);

  Cursor& cursor_;
  Names& names_;
  ir::Program& program_;
  const CallRegistry& calls_;
  ExprParser exprs_;
  std::uint32_t depth_ = 0;
};

}  // namespace gyre::text
