#include "gyre/passes/lower_for.hpp"

#include "gyre/ir/constant_value.hpp"
#include "gyre/passes/pass.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace gyre::passes {
namespace {

using ir::Op;
using ir::ScalarType;

bool is_literal(const ir::Expr& expr, std::int64_t value) {
  const auto* literal = ir::as<ir::Literal>(expr);
  return literal != nullptr && literal->value.as_integer() == value;
}

class LowerFor final : public Pass {
 public:
  using Pass::Pass;

 protected:
  using Pass::visit;

  ir::Region visit(const ir::Region& self, const ir::Foreach&) override { return self; }

  ir::Region visit(const ir::Region& self, const ir::For& loop) override {
    const ScalarType type = program_[loop.range.index].type;
    std::vector<ir::Region> out;
    const auto begin = named("begin", loop.range.begin, self->path, out);
    const auto end = named("end", loop.range.end, self->path, out);
    auto step = loop.range.step;
    if (step) {
      step = named("step", step, self->path, out);
      if (ir::step_may_be_zero(loop.range)) {
        out.push_back(ir::make_region(ir::CheckStep{step}, self->loc, self->path));
      }
    }

    const auto trips = add_let("trips", ScalarType::I64);
    const auto one = ir::make_literal(ir::Value(std::int64_t{1}));
    const auto count =
        ir::make_apply(Op::Extent, {as_i64(begin), as_i64(end), step ? as_i64(step) : one});
    out.push_back(let(trips, count, self->path));
    if (ir::is_empty(loop.body)) {
      out.push_back(ir::make_region(ir::CountTrips{read(trips)}, self->loc, self->path));
      return ir::make_seq(std::move(out), self->loc);
    }
    const auto trip = add_var("trip", ScalarType::I64);
    out.push_back(declare(trip));

    // The index becomes a value computed at the start of each trip.
    program_.symbols[static_cast<std::size_t>(loop.range.index)].kind = ir::SymbolKind::Let;
    std::vector<ir::Region> body = {let(loop.range.index, index_at(begin, step, trip, type)),
                                    assign(trip, ir::make_apply(Op::Add, {read(trip), one})),
                                    rewrite_body(loop.body)};

    ir::While lowered;
    lowered.condition = ir::make_apply(Op::Lt, {read(trip), read(trips)});
    lowered.body = ir::make_seq(std::move(body), self->loc);
    // A counted loop has no limit of its own.
    lowered.limit = ir::make_literal(ir::Value(std::numeric_limits<std::int64_t>::max()));
    if (const auto known = ir::constant_value(count)) {
      lowered.expect = ir::make_literal(*known);
      lowered.counted = true;
    }
    out.push_back(ir::make_region(std::move(lowered), self->loc, self->path));
    return ir::make_seq(std::move(out), self->loc);
  }

 private:
  // Bounds are read once; a literal needs no name.
  ir::Expr named(const std::string& base, const ir::Expr& value, const std::string& path,
                 std::vector<ir::Region>& out) {
    if (ir::as<ir::Literal>(value) != nullptr) return value;
    const auto name = add_let(base, value->type);
    out.push_back(let(name, value, path));
    return read(name);
  }

  static ir::Expr as_i64(const ir::Expr& expr) {
    return expr->type == ScalarType::I64 ? expr : ir::make_cast(ScalarType::I64, expr);
  }

  ir::Expr index_at(const ir::Expr& begin, const ir::Expr& step, ir::SymbolId trip,
                    ScalarType type) const {
    auto index = type == ScalarType::I64 ? read(trip) : ir::make_cast(type, read(trip));
    if (step) index = ir::make_apply(Op::Mul, {std::move(index), step});
    return is_literal(begin, 0) ? index : ir::make_apply(Op::Add, {begin, std::move(index)});
  }
};

}  // namespace

ir::Program lower_for(ir::Program program) {
  return LowerFor(std::move(program)).run();
}

}  // namespace gyre::passes
