#include "gyre/builder/declarations.hpp"

#include "gyre/builder/recorder.hpp"

namespace gyre::builder {

Size Declarations::size(std::string name, const CallSite& at) {
  ir::Symbol symbol;
  symbol.name = std::move(name);
  symbol.kind = ir::SymbolKind::Size;
  symbol.type = ir::ScalarType::I64;
  symbol.loc = SourceLoc::here(at);
  return Size(detail::read({recorder_, recorder_->add(std::move(symbol))}));
}

AnyValue Declarations::own(AnyValue literal) const {
  literal.owner = recorder_;
  return literal;
}

detail::Object Declarations::add_buffer(ir::Intent intent, std::string name, ir::ScalarType type,
                                        Extents extents, const CallSite& at) {
  ir::Symbol symbol;
  symbol.name = std::move(name);
  symbol.kind = ir::SymbolKind::Buffer;
  symbol.type = type;
  symbol.intent = intent;
  for (const GivenInteger& extent : extents)
    symbol.extents.push_back(recorder_->take(extent.value));
  symbol.loc = SourceLoc::here(at);
  return {recorder_, recorder_->declare(std::move(symbol))};
}

detail::Object Declarations::add_scalar(ir::Intent intent, std::string name, ir::ScalarType type,
                                        const AnyValue& initial, const CallSite& at) {
  ir::Symbol symbol;
  symbol.name = std::move(name);
  symbol.kind = ir::SymbolKind::Scalar;
  symbol.type = type;
  symbol.intent = intent;
  if (initial.expr) symbol.initial = recorder_->take(initial);
  symbol.loc = SourceLoc::here(at);
  return {recorder_, recorder_->declare(std::move(symbol))};
}

AnyValue Declarations::add_let(std::string name, ir::ScalarType type, const AnyValue& value,
                               const CallSite& at) {
  auto expr = recorder_->take(value);
  ir::Symbol symbol;
  symbol.name = std::move(name);
  symbol.kind = ir::SymbolKind::Let;
  symbol.type = type;
  symbol.loc = SourceLoc::here(at);
  const auto loc = symbol.loc;
  const auto id = recorder_->add(std::move(symbol));
  recorder_->record(ir::Let{id, std::move(expr)}, loc);
  return detail::read({recorder_, id});
}

}  // namespace gyre::builder
