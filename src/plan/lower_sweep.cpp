#include "lower_sweep.hpp"

#include "gyre/base/error.hpp"

#include <set>
#include <utility>

namespace gyre::plan {
namespace {

class LowerBody {
 public:
  explicit LowerBody(Plan& plan) : plan_(plan) {}

  std::vector<Statement> block(const ir::Region& region) {
    std::vector<Statement> out;
    if (!region) return out;
    if (const auto* seq = ir::as<ir::Seq>(region)) {
      for (const ir::Region& item : seq->items) {
        for (Statement& statement : block(item)) out.push_back(std::move(statement));
      }
      return out;
    }
    out.push_back(std::visit([&](const auto& kind) { return lower(*region, kind); }, region->kind));
    return out;
  }

  std::vector<OuterSum> take_sums() { return std::move(sums_); }

 private:
  Statement lower(const ir::RegionNode&, const ir::Declare& op) {
    own_.insert(op.symbol);
    const ir::Symbol& symbol = plan_[op.symbol];
    return {Define{op.symbol, ir::make_literal(ir::Value::zero(symbol.type), symbol.loc)}};
  }
  Statement lower(const ir::RegionNode&, const ir::Let& op) {
    return {Define{op.symbol, op.value}};
  }
  Statement lower(const ir::RegionNode&, const ir::Assign& op) {
    if (!op.place.index.empty()) {
      return {Store{op.place.symbol, op.place.index, op.value, Store::Kind::Own}};
    }
    if (own_.contains(op.place.symbol)) return {Set{op.place.symbol, op.value}};
    const auto number = static_cast<std::uint32_t>(plan_.reductions.size());
    plan_.reductions.push_back({ir::FoldOp::Sum, op.value->type, plan_[op.place.symbol].name});
    sums_.push_back({op.place.symbol, number});
    return {Contribute{number, op.value}};
  }
  Statement lower(const ir::RegionNode&, const ir::Scatter& op) {
    const auto kind = op.accumulate ? Store::Kind::ScatterAdd : Store::Kind::Scatter;
    return {Store{op.place.symbol, op.place.index, op.value, kind}};
  }
  Statement lower(const ir::RegionNode& self, const ir::If& op) {
    return {Choose{op.condition, block(op.then), block(op.otherwise), self.path}};
  }
  Statement lower(const ir::RegionNode& self, const ir::While& op) {
    return {Repeat{op.condition, block(op.body), op.test_last, op.limit, self.path}};
  }
  Statement lower(const ir::RegionNode& self, const ir::For& op) {
    return {RepeatOver{op.range, block(op.body), self.path}};
  }
  // The trips of a foreach within one may be made in order as well.
  Statement lower(const ir::RegionNode& self, const ir::Foreach& op) {
    return {RepeatOver{op.ranges.front(), block(op.body), self.path, true}};
  }
  Statement lower(const ir::RegionNode&, const ir::Break&) { return {Leave{}}; }
  Statement lower(const ir::RegionNode&, const ir::Continue&) { return {NextTrip{}}; }
  template <class Other>
  Statement lower(const ir::RegionNode& self, const Other&) {
    GYRE_CHECK(false, "a statement in a foreach that the verifier refuses, at " + self.path);
    return {};
  }

  Plan& plan_;
  std::set<ir::SymbolId> own_;
  std::vector<OuterSum> sums_;
};

}  // namespace

LoweredBody lower_body(const ir::Region& body, Plan& plan) {
  LowerBody lower(plan);
  auto statements = lower.block(body);
  return {std::move(statements), lower.take_sums()};
}

}  // namespace gyre::plan
