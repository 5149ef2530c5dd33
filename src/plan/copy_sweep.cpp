#include "copy_sweep.hpp"

#include <algorithm>
#include <utility>

namespace gyre::plan {

bool same_extents(const Plan& plan, const ir::Copy& copy) {
  const auto& to = plan[copy.to].extents;
  const auto& from = plan[copy.from].extents;
  return std::equal(to.begin(), to.end(), from.begin(), from.end(), ir::same_expr);
}

Sweep copy_sweep(const Plan& plan, NewSymbols& symbols, const ir::Copy& copy) {
  Sweep made;
  std::vector<ir::Expr> index;
  // A copy: an index adds a symbol, and the extents move.
  const std::vector<ir::Expr> extents = plan[copy.to].extents;
  for (const ir::Expr& extent : extents) {
    const auto zero = ir::make_literal(ir::Value(std::int64_t{0}));
    ir::Range range{symbols.index(extent->type), ir::coerce(zero, extent->type), extent, nullptr};
    index.push_back(ir::make_read(range.index, ir::unify_range(range)));
    made.ranges.push_back(std::move(range));
  }
  auto value = ir::make_load(copy.from, plan[copy.from].type, index);
  made.body.push_back({Store{copy.to, std::move(index), std::move(value)}});
  return made;
}

}  // namespace gyre::plan
