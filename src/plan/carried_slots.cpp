#include "carried_slots.hpp"

#include <algorithm>

namespace gyre::plan {

bool carries_nothing(const Plan& plan, const Block& body) {
  Symbols computed_later;
  for (auto node = body.nodes.rbegin(); node != body.nodes.rend(); ++node) {
    const auto* launch = std::get_if<Launch>(&*node);
    if (launch == nullptr) return false;
    const Kernel& kernel = plan.kernels[launch->kernel];
    if (kernel.sweep && !accesses_of(plan, *kernel.sweep).stores.empty()) return false;
    for (const auto* steps : {&kernel.prologue, &kernel.epilogue}) {
      for (const ScalarStep& step : *steps) {
        const auto slot = slot_of(step);
        if (!slot) return false;
        computed_later.insert(*slot);
      }
    }
    for (const auto* cells : {&kernel.reads, &kernel.epilogue_reads}) {
      for (const Cell& cell : *cells) {
        if (computed_later.contains(cell.slot)) return false;
      }
    }
  }
  return true;
}

void drop_dead_writes(Plan& plan, Symbols live) {
  for (const Kernel& kernel : plan.kernels) {
    for (const Cell& cell : kernel.reads) live.insert(cell.slot);
    for (const Cell& cell : kernel.epilogue_reads) live.insert(cell.slot);
  }
  for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
    const ir::Intent intent = plan.symbols[i].intent;
    if (intent == ir::Intent::Out || intent == ir::Intent::Inout) {
      live.insert(static_cast<ir::SymbolId>(i));
    }
  }
  for (Kernel& kernel : plan.kernels) {
    std::erase_if(kernel.writes, [&](const Cell& cell) { return !live.contains(cell.slot); });
  }
}

}  // namespace gyre::plan
