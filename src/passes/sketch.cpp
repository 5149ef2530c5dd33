#include "sketch.hpp"

#include "gyre/ir/rewriter.hpp"

#include <limits>
#include <map>
#include <utility>

namespace gyre::passes {

using ir::ScalarType;

ir::SymbolId Sketch::add(ir::Symbol symbol) {
  symbol.name = names_(symbol.name);
  return program_.add(std::move(symbol));
}

void Sketch::write(ir::RegionKind kind, bool is_ours) {
  blocks_.back().push_back(
      ir::make_region(std::move(kind), self_.loc, is_ours ? self_.path : std::string()));
}

ir::Region Sketch::block(const std::function<void()>& body) {
  blocks_.emplace_back();
  body();
  std::vector<ir::Region> items = std::move(blocks_.back());
  blocks_.pop_back();
  return ir::make_seq(std::move(items), self_.loc);
}

Term Sketch::let(const std::string& name, const Term& value) {
  const auto id = add({.name = name, .kind = ir::SymbolKind::Let, .type = value.expr->type});
  write(ir::Let{id, value.expr});
  return ir::make_read(id, value.expr->type);
}

Variable Sketch::var(const std::string& name, const Term& value) {
  const auto id = add({.name = name,
                       .kind = ir::SymbolKind::Scalar,
                       .type = value.expr->type,
                       .intent = ir::Intent::Var});
  write(ir::Declare{id});
  set(id, value);
  return {id, value.expr->type};
}

void Sketch::set(const Variable& variable, const Term& value) {
  set(variable.symbol, value);
}

void Sketch::set(ir::SymbolId scalar, const Term& value) {
  write(ir::Assign{{scalar, {}, self_.loc}, std::nullopt, value.expr});
}

Array Sketch::add_temp(const std::string& name, ScalarType type, const Term& extent, bool scratch) {
  const auto id = add({.name = name,
                       .kind = ir::SymbolKind::Buffer,
                       .type = type,
                       .intent = ir::Intent::Temp,
                       .extents = {extent.expr},
                       .scratch = scratch});
  write(ir::Declare{id});
  return {id, type};
}

Array Sketch::temp(const std::string& name, ScalarType type, const Term& extent) {
  return add_temp(name, type, extent, true);
}

Array Sketch::zeros(const std::string& name, ScalarType type, const Term& extent) {
  return add_temp(name, type, extent, false);
}

Term Sketch::extent(const Array& array) const {
  return cast(ScalarType::I64, program_[array.symbol].extents.front());
}

ir::Range Sketch::make_range(const Term& begin, const Term& end) {
  ir::Range range{{}, begin.expr, end.expr, nullptr};
  range.index = add({.name = "p", .kind = ir::SymbolKind::Index, .type = ScalarType::I64});
  return range;
}

void Sketch::foreach(const Term& count, const Body& body, ir::Team team) {
  ir::Foreach loop;
  loop.team = team;
  loop.ranges = {make_range(0, count)};
  const Term index = ir::make_read(loop.ranges[0].index, ScalarType::I64);
  loop.body = block([&] { body(index); });
  write(std::move(loop));
}

void Sketch::repeat(const Term& begin, const Term& end, const Body& body) {
  ir::For loop{make_range(begin, end), nullptr};
  const Term index = ir::make_read(loop.range.index, ScalarType::I64);
  loop.body = block([&] { body(index); });
  write(std::move(loop), false);
}

void Sketch::loop(const Term& condition, const std::function<void()>& body) {
  ir::While loop;
  loop.condition = condition.expr;
  loop.limit = Term(std::numeric_limits<std::int64_t>::max()).expr;
  loop.body = block(body);
  write(std::move(loop), false);
}

void Sketch::when(const Term& condition, const std::function<void()>& then) {
  write(ir::If{condition.expr, block(then), nullptr}, false);
}

void Sketch::choose(const Term& condition, const std::function<void()>& then,
                    const std::function<void()>& otherwise) {
  ir::Region first = block(then);
  ir::Region second = block(otherwise);
  write(ir::If{condition.expr, std::move(first), std::move(second)}, false);
}

ir::Place Sketch::place(const Array& array, const Term& index) const {
  return {array.symbol, {index.expr}, self_.loc};
}

void Sketch::store(const Array& array, const Term& index, const Term& value) {
  write(ir::Assign{place(array, index), std::nullopt, value.expr});
}

void Sketch::scatter(const Array& array, const Term& index, const Term& value) {
  write(ir::Scatter{place(array, index), false, value.expr});
}

void Sketch::scatter_add(const Array& array, const Term& index, const Term& value) {
  write(ir::Scatter{place(array, index), true, value.expr});
}

void Sketch::check_step(const Term& step) {
  write(ir::CheckStep{step.expr});
}

void Sketch::call(std::shared_ptr<const ir::Callee> callee, std::vector<ir::SymbolId> arguments) {
  write(ir::Call{std::move(callee), std::move(arguments)});
}

Term Sketch::fold(ir::FoldOp op, const Term& begin, const Term& end,
                  const std::function<Term(const Term&)>& operand) {
  const ir::Range range = make_range(begin, end);
  const Term index = ir::make_read(range.index, ScalarType::I64);
  return ir::make_fold(op, {range}, operand(index).expr);
}

Term Sketch::substitute(const ir::Expr& expr, ir::SymbolId index, const Term& value) {
  class Substitute final : public ir::Rewriter {
   public:
    Substitute(Sketch& sketch, ir::SymbolId index, ir::Expr value) : sketch_(sketch) {
      values_.emplace(index, std::move(value));
    }

   private:
    using ir::Rewriter::visit;
    ir::Expr visit(const ir::Expr& self, const ir::Read& read) override {
      const auto found = values_.find(read.symbol);
      return found == values_.end() ? self : found->second;
    }
    ir::Expr visit(const ir::Expr& self, const ir::Fold& fold) override {
      std::vector<ir::Range> ranges = rewrite_ranges(fold.ranges);
      for (ir::Range& range : ranges) {
        const ir::Symbol& old = sketch_.program_[range.index];
        const ScalarType type = old.type;
        const auto fresh =
            sketch_.add({.name = old.name, .kind = ir::SymbolKind::Index, .type = type});
        values_.emplace(std::exchange(range.index, fresh), ir::make_read(fresh, type));
      }
      ir::Expr operand = rewrite(fold.operand);
      for (const ir::Range& range : fold.ranges) values_.erase(range.index);
      return ir::make_fold(fold.op, std::move(ranges), std::move(operand), self->loc);
    }

    Sketch& sketch_;
    std::map<ir::SymbolId, ir::Expr> values_;
  };
  return Substitute(*this, index, value.expr).rewrite(expr);
}

}  // namespace gyre::passes
