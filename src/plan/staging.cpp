#include "gyre/plan/staging.hpp"

#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"

#include <algorithm>
#include <functional>

namespace gyre::plan {
namespace {

using Visit = std::function<void(const ir::Expr&)>;

// Calls `visit` on `expr` and those of its parts that are evaluated whatever the values are. Parts
// of a fold are not: it may have no terms.
void for_each_certain(const ir::Expr& expr, const Visit& visit) {
  if (!expr) return;
  visit(expr);
  if (const auto* load = ir::as<ir::Load>(expr)) {
    for (const ir::Expr& index : load->index) for_each_certain(index, visit);
  } else if (const auto* cast = ir::as<ir::Cast>(expr)) {
    for_each_certain(cast->operand, visit);
  } else if (const auto* apply = ir::as<ir::Apply>(expr)) {
    const bool chooses =
        apply->op == ir::Op::Select || apply->op == ir::Op::And || apply->op == ir::Op::Or;
    const std::size_t certain = chooses ? 1 : apply->operands.size();
    for (std::size_t i = 0; i < certain; ++i) for_each_certain(apply->operands[i], visit);
  }
}

bool is_read_of(const ir::Expr& expr, ir::SymbolId symbol) {
  const auto* read = ir::as<ir::Read>(without_widening(expr));
  return read != nullptr && read->symbol == symbol;
}

bool is_one(const ir::Expr& expr) {
  const auto* literal = ir::as<ir::Literal>(without_widening(expr));
  return literal != nullptr && literal->value.as_integer() == 1;
}

// `b[i]..b[i + 1]`: the folds of neighbouring points follow each other in memory.
bool follows_neighbour(const ir::Range& range, ir::SymbolId point) {
  const auto* begin = ir::as<ir::Load>(without_widening(range.begin));
  const auto* end = ir::as<ir::Load>(without_widening(range.end));
  if (range.step || begin == nullptr || end == nullptr || begin->buffer != end->buffer) {
    return false;
  }
  if (begin->index.size() != 1 || !is_read_of(begin->index[0], point)) return false;
  const auto* next = ir::as<ir::Apply>(without_widening(end->index[0]));
  return next != nullptr && next->op == ir::Op::Add && is_read_of(next->operands[0], point) &&
         is_one(next->operands[1]);
}

// What the sweep's points have for themselves: nothing of it is there before a point begins.
Symbols locals_of(const Sweep& sweep) {
  Symbols locals;
  for_each_statement(sweep.body, [&](const Statement& statement) {
    if (const auto* define = std::get_if<Define>(&statement.kind)) locals.insert(define->local);
  });
  return locals;
}

bool depends_on(const ir::Expr& expr, const Symbols& locals, const Symbols& stored) {
  bool found = false;
  ir::for_each_expr(expr, [&](const ir::Expr& node) {
    const auto* read = ir::as<ir::Read>(node);
    const auto* load = ir::as<ir::Load>(node);
    found = found || (read != nullptr && locals.contains(read->symbol)) ||
            (load != nullptr && stored.contains(load->buffer));
  });
  return found;
}

std::vector<ir::SymbolId> buffers_at_terms(const Plan& plan, const ir::Fold& fold) {
  std::vector<ir::SymbolId> found;
  for_each_certain(fold.operand, [&](const ir::Expr& node) {
    const auto* load = ir::as<ir::Load>(node);
    if (load == nullptr || load->index.size() != 1) return;
    const std::size_t bytes = ir::size_of(plan[load->buffer].type);
    if (!is_read_of(load->index[0], fold.ranges[0].index) || (bytes != 4 && bytes != 8)) return;
    if (std::find(found.begin(), found.end(), load->buffer) == found.end()) {
      found.push_back(load->buffer);
    }
  });
  // Wide elements first, so that each buffer's part begins at a multiple of its elements.
  std::stable_sort(found.begin(), found.end(), [&](ir::SymbolId a, ir::SymbolId b) {
    return ir::size_of(plan[a].type) > ir::size_of(plan[b].type);
  });
  return found;
}

}  // namespace

const ir::Expr& without_widening(const ir::Expr& expr) {
  const auto* cast = ir::as<ir::Cast>(expr);
  return cast != nullptr && cast->implicit ? without_widening(cast->operand) : expr;
}

std::vector<StagedFold> staged_folds(const Plan& plan, const Sweep& sweep) {
  std::vector<StagedFold> found;
  if (sweep.ranges.size() != 1 || sweep.ranges[0].step || sweep.promised) return found;
  const Symbols stored = accesses_of(plan, sweep).stores;
  const Symbols locals = locals_of(sweep);
  const auto look_at = [&](const ir::Expr& node) {
    const auto* fold = ir::as<ir::Fold>(node);
    if (fold == nullptr || fold->ranges.size() != 1 || ir::contains_fold(fold->operand)) return;
    if (!follows_neighbour(fold->ranges[0], sweep.ranges[0].index)) return;
    if (depends_on(node, locals, stored)) return;
    auto buffers = buffers_at_terms(plan, *fold);
    if (!buffers.empty()) found.push_back({node, std::move(buffers)});
  };
  for (const Statement& statement : sweep.body) {
    const bool is_certain = std::holds_alternative<Define>(statement.kind) ||
                            std::holds_alternative<Set>(statement.kind) ||
                            std::holds_alternative<Store>(statement.kind) ||
                            std::holds_alternative<Contribute>(statement.kind);
    if (!is_certain) continue;
    for (const ir::Expr& expr : exprs_of(statement)) for_each_certain(expr, look_at);
  }
  return found;
}

unsigned staged_bytes_per_term(const Plan& plan, const std::vector<StagedFold>& folds) {
  std::size_t most = 0;
  for (const StagedFold& fold : folds) {
    std::size_t bytes = 0;
    for (const ir::SymbolId buffer : fold.buffers) bytes += ir::size_of(plan[buffer].type);
    most = std::max(most, bytes);
  }
  return static_cast<unsigned>(most);
}

}  // namespace gyre::plan
