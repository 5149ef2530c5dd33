#include "fork_hazards.hpp"

#include "gyre/plan/accesses.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <set>

namespace gyre::plan {
namespace {

/// What an arm reads and writes: slots, whichever cell, and buffers; and the folds that it feeds or
/// finishes.
struct ArmUse {
  Symbols touched;
  Symbols written;
  std::set<std::uint32_t> folds;

  void read(ir::SymbolId symbol) { touched.insert(symbol); }
  void write(ir::SymbolId symbol) {
    touched.insert(symbol);
    written.insert(symbol);
  }
};

class GatherUse {
 public:
  explicit GatherUse(const Plan& plan) : plan_(plan) {}

  ArmUse of(const Block& arm) {
    for_each_node(
        arm, [&](const Node& node) { std::visit([&](const auto& kind) { add(kind); }, node); });
    return std::move(use_);
  }

 private:
  void add(const Launch& launch) {
    const Kernel& kernel = plan_.kernels[launch.kernel];
    for (const Cell& cell : kernel.reads) use_.read(cell.slot);
    for (const Cell& cell : kernel.epilogue_reads) use_.read(cell.slot);
    for (const Cell& cell : kernel.writes) use_.write(cell.slot);
    for (const ir::SymbolId slot : kernel.shadows) use_.write(slot);
    Accesses accesses;
    if (kernel.sweep) {
      accesses = accesses_of(plan_, *kernel.sweep);
      const auto fed = reductions_fed(*kernel.sweep);
      use_.folds.insert(fed.begin(), fed.end());
    }
    for (const auto* steps : {&kernel.prologue, &kernel.epilogue}) {
      for (const ScalarStep& step : *steps) {
        add_reads(plan_, value_of(step), accesses);
        const auto* finish = std::get_if<Finish>(&step.kind);
        if (finish != nullptr) use_.folds.insert(finish->reduction);
      }
    }
    for (const ir::SymbolId buffer : accesses.loads) use_.read(buffer);
    for (const ir::SymbolId buffer : accesses.stores) use_.write(buffer);
  }
  void add(const Clear& clear) { use_.write(clear.buffer); }
  void add(const CopyBuffer& copy) {
    use_.write(copy.to);
    use_.read(copy.from);
  }
  void add(const RunCall& call) {
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const bool reads = call.callee->accesses[i] == ir::Access::Read;
      reads ? use_.read(call.arguments[i]) : use_.write(call.arguments[i]);
    }
  }
  void add(const IfNode& node) { use_.read(node.predicate); }
  void add(const SwitchNode& node) { use_.read(node.selector); }
  void add(const WhileNode& node) {
    use_.read(node.predicate);
    if (node.limit) use_.read(*node.limit);
  }
  void add(const ForkNode&) {}

  const Plan& plan_;
  ArmUse use_;
};

Symbols shared_by(const ArmUse& a, const ArmUse& b) {
  Symbols shared;
  for (const ir::SymbolId symbol : a.written) {
    if (b.touched.contains(symbol)) shared.insert(symbol);
  }
  for (const ir::SymbolId symbol : b.written) {
    if (a.touched.contains(symbol)) shared.insert(symbol);
  }
  return shared;
}

const Temporary* temporary(const Plan& plan, ir::SymbolId buffer) {
  const auto found = std::find_if(plan.temporaries.begin(), plan.temporaries.end(),
                                  [&](const Temporary& one) { return one.buffer == buffer; });
  return found == plan.temporaries.end() ? nullptr : &*found;
}

// One of the two is written, or their memory would hold nothing.
void check_memory(const Plan& plan, const ArmUse& a, const ArmUse& b,
                  std::vector<std::string>& breaches) {
  for (const ir::SymbolId one : a.touched) {
    const Temporary* life = temporary(plan, one);
    if (life == nullptr) continue;
    for (const ir::SymbolId other : b.touched) {
      const Temporary* beside = other == one ? nullptr : temporary(plan, other);
      if (beside == nullptr || live_at_once(*life, *beside)) continue;
      breaches.push_back("temps " + plan[one].name + " and " + plan[other].name +
                         " may share memory, and are used by arms that run at once");
    }
  }
}

}  // namespace

std::vector<std::string> breaches_of_fork(const Plan& plan, const ForkNode& fork) {
  std::vector<ArmUse> uses;
  for (const Block& arm : fork.arms) uses.push_back(GatherUse(plan).of(arm));
  std::vector<std::string> breaches;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    for (std::size_t j = i + 1; j < uses.size(); ++j) {
      for (const ir::SymbolId symbol : shared_by(uses[i], uses[j])) {
        breaches.push_back("arms " + std::to_string(i) + " and " + std::to_string(j) + " of " +
                           fork.region + " share " + plan[symbol].name +
                           ", which one of them writes");
      }
      for (const std::uint32_t fold : uses[i].folds) {
        if (!uses[j].folds.contains(fold)) continue;
        breaches.push_back("arms " + std::to_string(i) + " and " + std::to_string(j) + " of " +
                           fork.region + " share the partials of " + plan.reductions[fold].name);
      }
      check_memory(plan, uses[i], uses[j], breaches);
    }
  }
  return breaches;
}

}  // namespace gyre::plan
