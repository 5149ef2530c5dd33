// Declarations and lets.
#include "statement_parser.hpp"

#include <optional>
#include <utility>

namespace gyre::text {
namespace {

ir::Intent intent_of(std::string_view word) {
  for (const auto intent : {ir::Intent::In, ir::Intent::Out, ir::Intent::Inout, ir::Intent::Temp}) {
    if (ir::name_of(intent) == word) return intent;
  }
  return ir::Intent::Var;
}

}  // namespace

/// Runs `body`; where it abandons, `name` counts as declared, so that its uses stay silent.
template <class Body>
auto StatementParser::poison_on_fault(const Token& name, Body body) {
  try {
    return body();
  } catch (const Abandon&) {
    names_.declare_poisoned(name);
    throw;
  }
}

void StatementParser::parse_declarations(Items& items) {
  const ir::Intent intent = intent_of(cursor_.take().text);
  do {
    items.push_back(parse_item(intent));
  } while (cursor_.accept(","));
}

ir::Region StatementParser::parse_item(ir::Intent intent) {
  const Token name = cursor_.expect_name("the name of a declaration");
  return poison_on_fault(name, [&] {
    ir::Symbol symbol;
    symbol.intent = intent;
    cursor_.expect(":", "and a type after the name");
    symbol.type = exprs_.parse_type();
    if (cursor_.at("[") && !cursor_.at_line_start()) {
      symbol.kind = ir::SymbolKind::Buffer;
      cursor_.open("[", "");
      symbol.extents = exprs_.parse_list();
      cursor_.close("]", "after the extents");
    }
    const Token equals = cursor_.peek();
    if (cursor_.accept("=")) {
      symbol.initial = ir::coerce(exprs_.parse(), ir::loaded_type(symbol.type));
      if (symbol.kind == ir::SymbolKind::Buffer) {
        cursor_.report("buffer-initial", cursor_.loc(equals), "a buffer has no initial value here",
                       "use 'fill' or 'foreach'");
      }
    }
    return ir::make_region(ir::Declare{names_.declare(name, std::move(symbol))}, cursor_.loc(name));
  });
}

void StatementParser::parse_let(Items& items) {
  cursor_.take();
  const Token name = cursor_.expect_name("the name of a 'let'");
  items.push_back(poison_on_fault(name, [&] {
    std::optional<ir::ScalarType> type;
    if (cursor_.accept(":")) type = exprs_.parse_type();
    cursor_.expect("=", "after the name of a 'let'");
    ir::Expr value = exprs_.parse();
    if (type) value = ir::coerce(std::move(value), *type);
    ir::Symbol symbol;
    symbol.kind = ir::SymbolKind::Let;
    symbol.type = type.value_or(value->type);
    const auto id = names_.declare(name, std::move(symbol));
    return ir::make_region(ir::Let{id, std::move(value)}, cursor_.loc(name));
  }));
}

}  // namespace gyre::text
