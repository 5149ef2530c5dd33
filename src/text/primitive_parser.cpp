// The device-wide primitives: `sort(i in 0..n) y = x[i] descending`.
#include "statement_parser.hpp"

#include <string>
#include <utility>

namespace gyre::text {
namespace {

std::vector<std::string> primitive_names() {
  std::vector<std::string> names;
  for (const ir::PrimitiveInfo& row : ir::all_primitives()) names.emplace_back(row.name);
  return names;
}

}  // namespace

bool StatementParser::accept_word(std::string_view word) {
  const Token& token = cursor_.peek();
  if (token.kind != TokenKind::Name || token.text != word || cursor_.at_line_start()) return false;
  cursor_.take();
  return true;
}

void StatementParser::parse_primitive(Items& items) {
  const Token start = cursor_.take();
  const auto op = ir::parse_primitive(start.text);
  if (!op) {
    const auto near = nearest_name(start.text, primitive_names());
    cursor_.fail("unknown-primitive", cursor_.loc(start),
                 "there is no statement " + describe(start),
                 near.empty() ? "a call of your own work begins with 'call'"
                              : "did you mean '" + std::string(near) + "'?");
  }
  ir::Primitive primitive;
  primitive.op = *op;
  cursor_.open("(", "");
  const Names::Block block(names_);
  primitive.range = exprs_.parse_range();
  if (cursor_.at(",")) {
    cursor_.fail_expected("')' after the range", "'" + std::string(start.text) +
                                                     "' has one range; its index may stand "
                                                     "for several: i / m, i % m");
  }
  cursor_.close(")", "after the range");
  parse_primitive_outputs(primitive);
  cursor_.expect("=", "after what '" + std::string(start.text) + "' writes");
  parse_primitive_operands(primitive);
  items.push_back(ir::make_region(std::move(primitive), cursor_.loc(start)));
}

void StatementParser::parse_primitive_outputs(ir::Primitive& primitive) {
  do {
    const Token name = cursor_.expect_name("what '" + std::string(info(primitive.op).name) +
                                           "' writes, a buffer or a scalar");
    primitive.outputs.push_back(names_.resolve(name));
  } while (cursor_.accept(","));
}

// The operand of that number; a literal takes the type of the output that it is for.
ir::Expr StatementParser::parse_primitive_operand(const ir::Primitive& primitive,
                                                  std::size_t operand) {
  ir::Expr value = exprs_.parse();
  const auto output = ir::output_of(primitive, operand);
  if (!output || *output >= primitive.outputs.size()) return value;
  return ir::coerce(std::move(value), ir::loaded_type(names_[primitive.outputs[*output]].type));
}

void StatementParser::parse_primitive_operands(ir::Primitive& primitive) {
  const ir::PrimitiveInfo& row = info(primitive.op);
  const bool is_compact = primitive.op == ir::PrimitiveOp::Compact;
  // The condition is evaluated first and written last.
  std::vector<ir::Expr>& operands = primitive.operands;
  if (is_compact) operands.emplace_back();
  do {
    // The fold stands before the last operand: `sum x[i]`.
    const bool is_last = primitive.op == ir::PrimitiveOp::Scan || !operands.empty();
    if (row.folds && is_last) {
      const Token name = cursor_.expect_name("a fold: sum, prod, min, max, any, all or count");
      const auto fold = ir::parse_fold(name.text);
      if (!fold) {
        cursor_.fail("unknown-fold", cursor_.loc(name), "there is no fold " + describe(name),
                     "there are sum, prod, min, max, any, all and count");
      }
      primitive.fold = *fold;
    }
    operands.push_back(parse_primitive_operand(primitive, operands.size()));
  } while (cursor_.accept(","));
  if (is_compact) {
    if (!accept_word("where")) cursor_.fail_expected("'where' and a condition");
    operands.front() = exprs_.parse();
  }
  primitive.option = !row.option.empty() && accept_word(row.option);
}

}  // namespace gyre::text
