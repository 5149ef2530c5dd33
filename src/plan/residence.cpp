#include "gyre/plan/residence.hpp"

#include "gyre/plan/cost_model.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/trip_price.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <vector>

namespace gyre::plan {
namespace {

// Calls `visit` on each loop that no loop which `visit` took holds.
void for_each_outermost(const Block& block, const std::function<bool(const WhileNode&)>& visit) {
  for (const Node& node : block.nodes) {
    if (const auto* loop = std::get_if<WhileNode>(&node)) {
      if (!visit(*loop)) for_each_outermost(*loop->body, visit);
    } else if (const auto* choice = std::get_if<IfNode>(&node)) {
      for_each_outermost(*choice->then, visit);
      for_each_outermost(*choice->otherwise, visit);
    } else if (const auto* many = std::get_if<SwitchNode>(&node)) {
      for (const Block& one : many->cases) for_each_outermost(one, visit);
      for_each_outermost(*many->otherwise, visit);
    } else if (const auto* fork = std::get_if<ForkNode>(&node)) {
      for (const Block& arm : fork->arms) for_each_outermost(arm, visit);
    }
  }
}

// A loop that a pass made has no name of its own.
std::string name_of(const WhileNode& loop) {
  return loop.region.empty() ? "a loop" : loop.region;
}

// What its trips take before anything is known of sizes.
std::string prices_of(const Plan& plan, const WhileNode& loop, const GraphForms& forms) {
  const TripWork work = work_of_trip(plan, loop, forms);
  const auto price = [&](Runner runner) {
    return price_text(trip_price(forms.table(), work, {.runner = runner})) + " " +
           phrase_of(runner);
  };
  return "a trip takes " + price(Runner::Block) + ", " + price(Runner::Cluster) + ", " +
         price(Runner::Grid) + " and " + price(Runner::Graph) + ", beside what it goes through";
}

void add_scalar_reads(const Plan& plan, const Kernel& kernel, Accesses& accesses) {
  for (const ScalarStep& step : kernel.prologue) add_reads(plan, value_of(step), accesses);
  for (const ScalarStep& step : kernel.epilogue) add_reads(plan, value_of(step), accesses);
}

// Buffers that a node itself touches, not those of nodes within it.
Symbols touched_by(const Plan& plan, const Node& node) {
  Symbols found;
  if (const auto* launch = std::get_if<Launch>(&node)) {
    const Kernel& kernel = plan.kernels[launch->kernel];
    Accesses accesses;
    if (kernel.sweep) accesses = accesses_of(plan, *kernel.sweep);
    add_scalar_reads(plan, kernel, accesses);
    found = accesses.loads;
    found.insert(accesses.stores.begin(), accesses.stores.end());
  } else if (const auto* clear = std::get_if<Clear>(&node)) {
    found = {clear->buffer};
  } else if (const auto* copy = std::get_if<CopyBuffer>(&node)) {
    found = {copy->to, copy->from};
  } else if (const auto* call = std::get_if<RunCall>(&node)) {
    found.insert(call->arguments.begin(), call->arguments.end());
  }
  return found;
}

/// Gathers how the nodes of a loop use its buffers.
class GatherUses {
 public:
  explicit GatherUses(const Plan& plan) : plan_(plan) {}

  void add(const Node& node) {
    if (const auto* launch = std::get_if<Launch>(&node)) {
      const Kernel& kernel = plan_.kernels[launch->kernel];
      Accesses accesses;
      add_scalar_reads(plan_, kernel, accesses);
      for (const ir::SymbolId buffer : accesses.loads) add(buffer, {true, false, false}, nullptr);
      if (!kernel.sweep) return;
      for (const auto& [buffer, touch] : touches_of(*kernel.sweep)) {
        add(buffer, touch, &*kernel.sweep);
      }
    } else if (const auto* clear = std::get_if<Clear>(&node)) {
      add(clear->buffer, {false, true, false}, nullptr);
    } else if (const auto* copy = std::get_if<CopyBuffer>(&node)) {
      add(copy->from, {true, false, false}, nullptr);
      add(copy->to, {false, true, false}, nullptr);
    }
  }

  // Buffers that are stored to at own places alone, and loaded from there as well.
  void find_writers() {
    for (auto& [buffer, use] : uses) {
      const Stores& stores = stores_[buffer];
      const bool loads = std::any_of(
          stores.loading_own.begin(), stores.loading_own.end(), [&](const Sweep* sweep) {
            return stores.first != nullptr && have_same_points(plan_, *stores.first, *sweep);
          });
      if (stores.first != nullptr && stores.own && loads) use.writers = stores.first;
    }
  }

  std::map<ir::SymbolId, BufferUse> uses;

 private:
  struct Stores {
    const Sweep* first = nullptr;
    bool own = true;
    std::vector<const Sweep*> loading_own = {};
  };
  void add(ir::SymbolId buffer, const Touch& touch, const Sweep* sweep) {
    const auto [place, is_first] = uses.try_emplace(buffer);
    BufferUse& use = place->second;
    use.loads = use.loads || touch.loads;
    use.stores = use.stores || touch.stores;
    Stores& stores = stores_[buffer];
    if (touch.stores) {
      if (stores.first == nullptr) stores.first = sweep;
      stores.own = stores.own && sweep != nullptr && touch.stores_own &&
                   have_same_points(plan_, *stores.first, *sweep);
    }
    if (touch.loads_own && sweep != nullptr) stores.loading_own.push_back(sweep);
    const bool own = touch.own && sweep != nullptr;
    if (is_first) {
      use.owners = own && have_same_points(plan_, *sweep, *sweep) ? sweep : nullptr;
    } else if (use.owners != nullptr) {
      if (!own || !have_same_points(plan_, *use.owners, *sweep)) use.owners = nullptr;
    }
  }

  const Plan& plan_;
  std::map<ir::SymbolId, Stores> stores_;
};

}  // namespace

std::map<ir::SymbolId, BufferUse> buffer_uses(const Plan& plan, const WhileNode& loop) {
  GatherUses gather(plan);
  for_each_node(*loop.body, [&](const Node& node) { gather.add(node); });
  gather.find_writers();
  return std::move(gather.uses);
}

bool has_trips_without_folds(const Plan& plan, const WhileNode& loop) {
  bool is_innermost = true;
  bool found = false;
  for_each_node(*loop.body, [&](const Node& node) {
    const auto* inner = std::get_if<WhileNode>(&node);
    if (inner == nullptr) return;
    is_innermost = false;
    found = found || has_trips_without_folds(plan, *inner);
  });
  if (!is_innermost) return found;
  bool folds = false;
  for_each_kernel(plan, *loop.body, [&](const Kernel& kernel) {
    folds = folds || (kernel.sweep && !reductions_fed(*kernel.sweep).empty());
  });
  return !folds;
}

Symbols stored_in_loops_of_points(const Plan& plan, const WhileNode& loop) {
  Symbols found;
  const auto add_stores = [&](const std::vector<Statement>& body) {
    for_each_statement(body, [&](const Statement& statement) {
      const auto* store = std::get_if<Store>(&statement.kind);
      if (store != nullptr) found.insert(store->buffer);
    });
  };
  for_each_kernel(plan, *loop.body, [&](const Kernel& kernel) {
    if (!kernel.sweep) return;
    for_each_statement(kernel.sweep->body, [&](const Statement& statement) {
      if (const auto* repeat = std::get_if<Repeat>(&statement.kind)) add_stores(repeat->body);
      if (const auto* over = std::get_if<RepeatOver>(&statement.kind)) add_stores(over->body);
    });
  });
  return found;
}

Symbols used_beyond(const Plan& plan, const WhileNode& loop) {
  std::set<const Node*> inside;
  for_each_node(*loop.body, [&](const Node& node) { inside.insert(&node); });
  bool is_entered_again = false;
  Symbols found;
  for_each_node(plan.body, [&](const Node& node) {
    if (const auto* around = std::get_if<WhileNode>(&node); around != nullptr && around != &loop) {
      for_each_node(*around->body, [&](const Node& inner) {
        is_entered_again = is_entered_again || std::get_if<WhileNode>(&inner) == &loop;
      });
    }
    if (!inside.contains(&node)) found.merge(touched_by(plan, node));
  });
  for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
    const ir::Symbol& symbol = plan.symbols[i];
    const bool is_buffer = symbol.kind == ir::SymbolKind::Buffer;
    if (is_buffer && (is_entered_again || symbol.intent != ir::Intent::Temp)) {
      found.insert(static_cast<ir::SymbolId>(i));
    }
  }
  return found;
}

void for_each_kernel(const Plan& plan, const Block& block,
                     const std::function<void(const Kernel&)>& visit) {
  for_each_node(block, [&](const Node& node) {
    if (const auto* launch = std::get_if<Launch>(&node)) visit(plan.kernels[launch->kernel]);
  });
}

std::string why_not_resident(const Plan& plan, const WhileNode& loop) {
  std::string reason;
  for_each_node(*loop.body, [&](const Node& node) {
    if (!reason.empty()) return;
    const auto* call = std::get_if<RunCall>(&node);
    if (call != nullptr) reason = "it calls '" + call->callee->name + "'";
    if (std::holds_alternative<ForkNode>(node)) reason = "it holds a fork";
  });
  for_each_kernel(plan, *loop.body, [&](const Kernel& kernel) {
    if (reason.empty() && needs_checks(kernel)) {
      reason = "a fold in " + kernel.region + " has a step that may be 0";
    }
  });
  return reason;
}

std::vector<const WhileNode*> resident_loops(const Plan& plan) {
  return resident_loops(plan, plan.body);
}

std::vector<const WhileNode*> resident_loops(const Plan& plan, const Block& block) {
  std::vector<const WhileNode*> loops;
  for_each_outermost(block, [&](const WhileNode& loop) {
    const bool can = why_not_resident(plan, loop).empty();
    if (can) loops.push_back(&loop);
    return can;
  });
  return loops;
}

std::vector<std::string> explain_residence(const Plan& plan, const CostTable& costs) {
  const GraphForms forms(plan, costs);
  std::vector<std::string> sentences;
  for_each_outermost(plan.body, [&](const WhileNode& loop) {
    const std::string reason = why_not_resident(plan, loop);
    sentences.push_back(name_of(loop) + (reason.empty()
                                             ? " can be one kernel: " + prices_of(plan, loop, forms)
                                             : " cannot be one kernel: " + reason));
    return reason.empty();
  });
  return sentences;
}

}  // namespace gyre::plan
