#include "gyre/passes/lower_jumps.hpp"

#include "gyre/ir/visitor.hpp"
#include "gyre/passes/pass.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace gyre::passes {
namespace {

using ir::Op;
using ir::ScalarType;

/// The jumps that a region may make, out of itself.
struct Jumps {
  bool leaves = false;
  bool skips = false;
  bool halts = false;

  bool any() const { return leaves || skips || halts; }

  Jumps& operator|=(const Jumps& other) {
    leaves |= other.leaves;
    skips |= other.skips;
    halts |= other.halts;
    return *this;
  }
};

Jumps jumps_of(const ir::Region& region) {
  Jumps found;
  if (!region || ir::as<ir::Foreach>(region) != nullptr) return found;
  if (ir::as<ir::Break>(region) != nullptr) return {.leaves = true};
  if (ir::as<ir::Continue>(region) != nullptr) return {.skips = true};
  if (ir::as<ir::Stop>(region) != nullptr) return {.halts = true};
  for (const ir::Region& child : ir::children(region)) {
    found |= jumps_of(child);
  }
  // A loop catches what leaves or skips within it.
  if (ir::as<ir::While>(region) != nullptr) found.leaves = found.skips = false;
  return found;
}

class LowerJumps final : public Pass {
 public:
  using Pass::Pass;

  ir::Program run() {
    const ir::Region body = program_.body;
    if (jumps_of(body).halts) halted_ = add_var("halted", ScalarType::Bool);
    auto rewritten = rewrite_body(body);
    program_.body = halted_ ? ir::make_seq({declare(*halted_), std::move(rewritten)}, body->loc)
                            : std::move(rewritten);
    return std::move(program_);
  }

 protected:
  using Pass::visit;

  ir::Region visit(const ir::Region& self, const ir::Foreach&) override { return self; }

  // What follows an item that may jump runs only where it did not. The guards stand side by side,
  // not one in the other, so that a thousand jumps in a row nest no deeper than one. What one
  // guard declares the next may read, and so is declared before both.
  ir::Region visit(const ir::Region& self, const ir::Seq& seq) override {
    std::vector<ir::Region> out;
    std::vector<ir::Region> guarded;
    Jumps so_far;
    const auto close = [&] {
      if (guarded.empty()) return;
      const auto loc = guarded.front()->loc;
      out.push_back(ir::make_region(
          ir::If{none_up(so_far), ir::make_seq(std::exchange(guarded, {}), loc), nullptr}, loc));
    };
    const auto last_jump = std::find_if(seq.items.rbegin(), seq.items.rend(),
                                        [](const auto& item) { return jumps_of(item).any(); });
    for (auto at = seq.items.begin(); at != seq.items.end(); ++at) {
      const Jumps jumps = jumps_of(*at);
      const bool ends_before_others = so_far.any() && at < last_jump.base();
      if (ir::as<ir::Declare>(*at) != nullptr && ends_before_others) {
        out.push_back(*at);
      } else if (const auto* let = ir::as<ir::Let>(*at); let != nullptr && ends_before_others) {
        out.push_back(declare(let->symbol));
        guarded.push_back(assign_let(*at, *let));
      } else {
        (so_far.any() ? guarded : out).push_back(rewrite(*at));
      }
      if (!jumps.any()) continue;
      close();
      so_far |= jumps;
    }
    close();
    return ir::make_seq(std::move(out), self->loc);
  }

  ir::Region visit(const ir::Region&, const ir::Break&) override {
    return assign(left_.value(), constant(true));
  }

  ir::Region visit(const ir::Region&, const ir::Continue&) override {
    return assign(skipped_.value(), constant(true));
  }

  ir::Region visit(const ir::Region& self, const ir::Stop&) override {
    return ir::make_seq({assign(halted_.value(), constant(true)), self}, self->loc);
  }

  ir::Region visit(const ir::Region& self, const ir::While& loop) override {
    const Jumps jumps = jumps_of(loop.body);
    if (!jumps.any()) return Pass::visit(self, loop);
    const auto outer_left = std::exchange(
        left_, jumps.leaves ? std::optional(add_var("left", ScalarType::Bool)) : std::nullopt);
    const auto outer_skipped = std::exchange(
        skipped_, jumps.skips ? std::optional(add_var("skipped", ScalarType::Bool)) : std::nullopt);

    ir::While lowered = loop;
    lowered.body = rewrite_body(loop.body);
    if (skipped_) lowered.body = ir::make_seq({declare(*skipped_), lowered.body}, self->loc);
    if (jumps.leaves || jumps.halts) {
      lowered.counted = false;
      lowered.condition = ir::make_apply(
          Op::And, {none_up({jumps.leaves, false, jumps.halts}), loop.condition}, self->loc);
    }
    std::vector<ir::Region> out;
    if (left_) out.push_back(declare(*left_));
    out.push_back(ir::make_region(std::move(lowered), self->loc, self->path));

    left_ = outer_left;
    skipped_ = outer_skipped;
    return ir::make_seq(std::move(out), self->loc);
  }

  ir::Region visit(const ir::Region& self, const ir::Fork& fork) override {
    std::vector<ir::Region> out;
    ir::Fork lowered;
    ir::Expr any;
    for (const ir::Region& arm : fork.arms) {
      const auto outer = halted_;
      if (jumps_of(arm).halts) {
        halted_ = add_var("halted", ScalarType::Bool);
        out.push_back(declare(*halted_));
        any = any ? ir::make_apply(Op::Or, {any, read(*halted_)}) : read(*halted_);
      }
      lowered.arms.push_back(rewrite_body(arm));
      halted_ = outer;
    }
    out.push_back(ir::make_region(std::move(lowered), self->loc, self->path));
    if (any) out.push_back(assign(halted_.value(), any));
    return ir::make_seq(std::move(out), self->loc);
  }

 private:
  // A let that outlives its guard becomes a var.
  ir::Region assign_let(const ir::Region& self, const ir::Let& let) {
    ir::Symbol& symbol = program_.symbols[static_cast<std::size_t>(let.symbol)];
    symbol.kind = ir::SymbolKind::Scalar;
    symbol.intent = ir::Intent::Var;
    return assign(let.symbol, rewrite(let.value), self->path);
  }

  // That no flag which these jumps may raise is up.
  ir::Expr none_up(const Jumps& jumps) const {
    ir::Expr up;
    const auto add = [&](bool wanted, const std::optional<ir::SymbolId>& flag) {
      if (!wanted) return;
      up = up ? ir::make_apply(Op::Or, {up, read(flag.value())}) : read(flag.value());
    };
    add(jumps.leaves, left_);
    add(jumps.skips, skipped_);
    add(jumps.halts, halted_);
    return ir::make_apply(Op::Not, {up});
  }

  // The flags of the loop at hand, and the program's.
  std::optional<ir::SymbolId> left_;
  std::optional<ir::SymbolId> skipped_;
  std::optional<ir::SymbolId> halted_;
};

}  // namespace

ir::Program lower_jumps(ir::Program program) {
  return LowerJumps(std::move(program)).run();
}

}  // namespace gyre::passes
