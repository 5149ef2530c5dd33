#include "interpret_foreach.hpp"

#include "gyre/ir/strands.hpp"
#include "gyre/ir/visitor.hpp"

namespace gyre::ir {

SumOverIndices::SumOverIndices(SymbolId scalar, ScalarType type, std::int64_t indices)
    : scalar_(scalar),
      type_(type),
      indices_(indices),
      fold_(FoldOp::Sum, type, strands::outer(indices)) {}

void SumOverIndices::reach(std::int64_t linear, const Value& value) {
  close_terms_before(linear);
  if (!term_) {
    term_ = value;
    return;
  }
  const Value both[] = {*term_, value};
  term_ = eval(Op::Add, both);
}

Value SumOverIndices::finish() {
  close_terms_before(indices_);
  return fold_.finish();
}

void SumOverIndices::close_terms_before(std::int64_t linear) {
  for (; closed_ < linear; ++closed_) {
    fold_.add(term_.value_or(Value::zero(type_)));
    term_.reset();
  }
}

ForeachFrame::ForeachFrame(const Program& program, const Region& body, std::int64_t indices)
    : indices_(indices) {
  std::set<SymbolId> own;
  find_sums(program, body, own);
  position_.clear();
}

void ForeachFrame::find_sums(const Program& program, const Region& region,
                             std::set<SymbolId>& own) {
  if (const auto* declare = as<Declare>(region)) own.insert(declare->symbol);
  if (const auto* assign = as<Assign>(region)) {
    const SymbolId target = assign->place.symbol;
    const Symbol& symbol = program[target];
    if (symbol.kind == SymbolKind::Scalar && !own.contains(target)) {
      GYRE_CHECK(assign->op == Op::Add, "a foreach assigns to a scalar from outside");
      sums_.try_emplace(position_, target, symbol.type, indices_);
    }
  }
  std::uint32_t number = 0;
  for (const Region& child : children(region)) {
    enter_child(number++);
    find_sums(program, child, own);
    leave_child();
  }
}

void ForeachFrame::start_index(std::int64_t linear) {
  linear_ = linear;
  position_.clear();
}

SumOverIndices* ForeachFrame::sum_here() {
  const auto found = sums_.find(position_);
  return found == sums_.end() ? nullptr : &found->second;
}

void ForeachFrame::end_index(const Ending& ending) {
  // Indices come in order, so that of two that end at one statement the first is the lesser.
  if (least_ && !(position_ < least_position_)) return;
  least_ = ending;
  least_position_ = position_;
}

}  // namespace gyre::ir
