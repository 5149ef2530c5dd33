#include "plan_nodes.hpp"

#include "gyre/ir/constant_value.hpp"
#include "gyre/plan/accesses.hpp"

#include <algorithm>
#include <iterator>

namespace gyre::plan {
namespace {

// A step of 0 is told before the bounds of the ranges behind it are read, which may fail as well.
bool fails_before_a_load(const std::vector<ir::Range>& ranges, std::size_t at) {
  const auto loads = [](const ir::Range& range) {
    return ir::contains_load(range.begin) || ir::contains_load(range.end) ||
           (range.step && ir::contains_load(range.step));
  };
  return ir::step_may_be_zero(ranges[at]) &&
         std::any_of(ranges.begin() + static_cast<std::ptrdiff_t>(at) + 1, ranges.end(), loads);
}

}  // namespace

void PlanNodes::add(ScalarStep step) {
  if (!waiting_.may_be_overtaken_by(plan_, step)) emit_waiting();
  segment_.add(std::move(step));
}

void PlanNodes::add(ScalarStep step, const ir::Expr& value) {
  add(std::move(step));
  if (value) note_loads(value);
}

void PlanNodes::put(Node node, std::vector<ir::SymbolId> symbols) {
  waiting_.add(std::move(node), std::move(symbols));
  if (!overtaking_) emit_waiting();
}

void PlanNodes::sweep(Sweep made, const std::string& region, const std::string& what) {
  emit_waiting();
  for (std::size_t i = 0; i < made.ranges.size(); ++i) {
    name_loaded_bounds(made.ranges[i], region);
    if (fails_before_a_load(made.ranges, i)) add({CheckStep{made.ranges[i].step}, region});
  }
  const Accesses accesses = accesses_of(plan_, made);
  for (const std::uint32_t kernel : segment_.sweep(std::move(made), region, what)) launch(kernel);
  for (const ir::SymbolId buffer : accesses.loads) lives_.use(buffer);
  for (const ir::SymbolId buffer : accesses.stores) lives_.use(buffer);
  for (const ir::SymbolId buffer : segment_.waiting_loads()) lives_.use(buffer);
}

// Bounds are read before anything is stored; a block that read them late would see its sweep's own
// stores.
void PlanNodes::name_loaded_bounds(ir::Range& range, const std::string& region) {
  for (ir::Expr* bound : {&range.begin, &range.end, &range.step}) {
    if (!*bound || !ir::contains_load(*bound)) continue;
    const auto slot = symbols_.slot(plan_[range.index].name + "_bound", (*bound)->type);
    add({Compute{slot, *bound}, region}, *bound);
    *bound = ir::make_read(slot, (*bound)->type, (*bound)->loc);
  }
}

void PlanNodes::splice(Block block) {
  std::move(block.nodes.begin(), block.nodes.end(), std::back_inserter(block_->nodes));
}

void PlanNodes::flush() {
  if (const auto scalars = segment_.flush()) launch(*scalars);
}

void PlanNodes::flush_before_write(ir::SymbolId buffer) {
  if (const auto scalars = segment_.flush_before_write(buffer)) launch(*scalars);
}

void PlanNodes::end_line() {
  flush();
  emit_waiting();
  segment_.end();
}

void PlanNodes::note_loads(const ir::Expr& value) {
  Accesses accesses;
  add_reads(plan_, value, accesses);
  // The step runs with the next kernel.
  lives_.advance();
  for (const ir::SymbolId buffer : accesses.loads) lives_.use(buffer);
}

void PlanNodes::emit_waiting() {
  for (auto& [node, symbols] : waiting_.take()) {
    emit(std::move(node));
    for (const ir::SymbolId symbol : symbols) lives_.use(symbol);
  }
}

// Scalar work may have waited for its kernel while other temps came to life.
void PlanNodes::launch(std::uint32_t kernel) {
  emit(Launch{kernel});
  Accesses accesses;
  for (const ScalarStep& step : plan_.kernels[kernel].prologue) {
    add_reads(plan_, value_of(step), accesses);
  }
  for (const ir::SymbolId buffer : accesses.loads) lives_.use(buffer);
}

void PlanNodes::emit(Node node) {
  if (std::holds_alternative<RunCall>(node)) {
    segment_.cut();
  } else if (!std::holds_alternative<Launch>(node)) {
    segment_.close();
  }
  lives_.advance();
  block_->nodes.push_back(std::move(node));
}

}  // namespace gyre::plan
