#include "swaps.hpp"

#include "fate.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <vector>

namespace gyre::plan {
namespace {

// Statements in order, those of sequences within sequences too.
void flatten(const ir::Region& region, std::vector<ir::Region>& items) {
  if (const auto* seq = ir::as<ir::Seq>(region)) {
    for (const ir::Region& item : seq->items) flatten(item, items);
  } else if (region) {
    items.push_back(region);
  }
}

// Scalar work, and nothing that may end the launch: what stands before it may as well stand behind.
bool is_plain_scalar_work(const ir::Region& region) {
  if (!region) return true;
  if (const auto* seq = ir::as<ir::Seq>(region)) {
    return std::all_of(seq->items.begin(), seq->items.end(), is_plain_scalar_work);
  }
  if (const auto* choice = ir::as<ir::If>(region)) {
    return is_plain_scalar_work(choice->then) && is_plain_scalar_work(choice->otherwise);
  }
  const auto* let = ir::as<ir::Let>(region);
  const auto* assign = ir::as<ir::Assign>(region);
  if (let == nullptr && (assign == nullptr || !assign->place.index.empty())) return false;
  return !has_uncertain_fold(let != nullptr ? let->value : assign->value);
}

bool touches(const ir::Region& root, ir::SymbolId buffer) {
  bool found = false;
  ir::for_each_expr(root, [&](const ir::Expr& node) {
    const auto* load = ir::as<ir::Load>(node);
    found = found || (load != nullptr && load->buffer == buffer);
  });
  ir::for_each_region(root, [&](const ir::Region& region) {
    if (const auto* assign = ir::as<ir::Assign>(region)) {
      found = found || assign->place.symbol == buffer;
    } else if (const auto* scatter = ir::as<ir::Scatter>(region)) {
      found = found || scatter->place.symbol == buffer;
    } else if (const auto* copy = ir::as<ir::Copy>(region)) {
      found = found || copy->to == buffer || copy->from == buffer;
    } else if (const auto* call = ir::as<ir::Call>(region)) {
      const auto& given = call->arguments;
      found = found || std::find(given.begin(), given.end(), buffer) != given.end();
    }
  });
  return found;
}

bool touches(const Plan& plan, const Kernel& kernel, ir::SymbolId buffer) {
  Accesses accesses;
  if (kernel.sweep) accesses = accesses_of(plan, *kernel.sweep);
  for (const auto* steps : {&kernel.prologue, &kernel.epilogue}) {
    for (const ScalarStep& step : *steps) add_reads(plan, value_of(step), accesses);
  }
  return accesses.loads.contains(buffer) || accesses.stores.contains(buffer);
}

/// How often nodes touch a buffer: as kernels, and otherwise.
struct Touches {
  int kernels = 0;
  int others = 0;
};

Touches count_touches(const Plan& plan, const Block& block, ir::SymbolId buffer) {
  Touches count;
  for_each_node(block, [&](const Node& node) {
    if (const auto* launch = std::get_if<Launch>(&node)) {
      count.kernels += touches(plan, plan.kernels[launch->kernel], buffer) ? 1 : 0;
    } else if (const auto* clear = std::get_if<Clear>(&node)) {
      count.others += clear->buffer == buffer ? 1 : 0;
    } else if (const auto* copy = std::get_if<CopyBuffer>(&node)) {
      count.others += copy->to == buffer || copy->from == buffer ? 1 : 0;
    } else if (const auto* call = std::get_if<RunCall>(&node)) {
      const auto& given = call->arguments;
      count.others += std::find(given.begin(), given.end(), buffer) != given.end() ? 1 : 0;
    }
  });
  return count;
}

bool may_swap(const Plan& plan, const WhileNode& loop) {
  const auto [to, from, kernel] = *loop.swap;
  if (plan[from].intent != ir::Intent::Temp) return false;
  bool may_fault_within = false;
  for_each_kernel(plan, *loop.body, [&](const Kernel& one) {
    may_fault_within = may_fault_within || may_fault(one);
  });
  // A fault would leave the buffers where the trip before it put them.
  if (may_fault_within) return false;
  const Touches within = count_touches(plan, *loop.body, from);
  const Touches everywhere = count_touches(plan, plan.body, from);
  return within.others == 0 && everywhere.others == 0 && within.kernels == everywhere.kernels &&
         count_touches(plan, *loop.body, to).others == 0 &&
         fate_of(plan, from, *loop.body) == Fate::Overwritten;
}

}  // namespace

const ir::RegionNode* copy_for_the_end(const ir::Region& body) {
  std::vector<ir::Region> items;
  flatten(body, items);
  for (std::size_t i = items.size(); i-- > 0;) {
    const auto* copy = ir::as<ir::Copy>(items[i]);
    if (copy == nullptr) continue;
    const auto behind = items.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const bool may_wait = std::all_of(behind, items.end(), [&](const ir::Region& item) {
      return is_plain_scalar_work(item) && !touches(item, copy->to) && !touches(item, copy->from);
    });
    return may_wait ? items[i].get() : nullptr;
  }
  return nullptr;
}

void settle_swaps(Plan& plan) {
  for_each_block(plan.body, [&](Block& block) {
    for (Node& node : block.nodes) {
      auto* loop = std::get_if<WhileNode>(&node);
      if (loop != nullptr && loop->swap && !may_swap(plan, *loop)) loop->swap.reset();
    }
  });
}

}  // namespace gyre::plan
