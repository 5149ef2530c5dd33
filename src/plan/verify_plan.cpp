#include "gyre/plan/verify_plan.hpp"

#include "fork_hazards.hpp"
#include "gyre/plan/accesses.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gyre::plan {
namespace {

class VerifyPlan {
 public:
  explicit VerifyPlan(const Plan& plan) : plan_(plan), launches_(plan.kernels.size(), 0) {}

  std::vector<std::string> run() {
    block(plan_.body);
    for (std::size_t i = 0; i < plan_.kernels.size(); ++i) {
      if (launches_[i] != 1) {
        breach("kernel " + plan_.kernels[i].name + " is launched from " +
               std::to_string(launches_[i]) + " places");
      }
    }
    return std::move(breaches_);
  }

 private:
  void breach(std::string what) { breaches_.push_back(std::move(what)); }

  std::string name(ir::SymbolId id) const { return plan_[id].name; }

  void block(const Block& nodes) {
    begin_line();
    for (const Node& node : nodes.nodes) {
      std::visit([&](const auto& kind) { check(kind); }, node);
    }
    end_line();
  }

  void check(const Launch& launch) {
    if (launch.kernel >= plan_.kernels.size())
      return breach("a launch of a kernel that is not there");
    ++launches_[launch.kernel];
    const Kernel& kernel = plan_.kernels[launch.kernel];
    if (!kernel.sweep && kernel.prologue.empty()) breach("kernel " + kernel.name + " does nothing");
    check_cells(kernel);
    check_hazards(kernel);
    check_partials(kernel);
    for (const Cell& cell : kernel.reads) {
      if (cell.version == Version::Shadow && !filled_.contains(cell.slot)) {
        breach("kernel " + kernel.name + " reads the shadow of " + name(cell.slot) +
               ", which its line did not fill");
      }
    }
    // What the kernel writes makes an older shadow stale; what it keeps makes a new one.
    for (const Cell& cell : kernel.writes) filled_.erase(cell.slot);
    for (const ir::SymbolId slot : kernel.shadows) filled_.insert(slot);
  }

  // Neither branches: the line goes on.
  void check(const Clear& clear) { check_buffer(clear.buffer); }
  void check(const CopyBuffer& copy) {
    check_buffer(copy.to);
    check_buffer(copy.from);
  }

  void check(const RunCall& call) {
    end_line();
    if (!call.callee) breach("a call without a callee");
  }

  void check(const IfNode& node) {
    end_line();
    check_type(node.predicate, ir::ScalarType::Bool, "predicate");
    block(*node.then);
    block(*node.otherwise);
  }

  void check(const SwitchNode& node) {
    end_line();
    check_slot(node.selector, "selector");
    if (!ir::is_integer(plan_[node.selector].type)) {
      breach("selector " + name(node.selector) + " is no integer");
    }
    if (node.labels.size() != node.cases.size()) breach("a switch whose labels and cases differ");
    for (const Block& one : node.cases) block(one);
    block(*node.otherwise);
  }

  void check(const WhileNode& node) {
    end_line();
    check_type(node.predicate, ir::ScalarType::Bool, "predicate");
    if (node.limit) check_type(*node.limit, ir::ScalarType::I64, "limit");
    block(*node.body);
  }

  void check(const ForkNode& node) {
    end_line();
    for (const Block& arm : node.arms) block(arm);
    for (std::string& sentence : breaches_of_fork(plan_, node)) breach(std::move(sentence));
  }

  void check_buffer(ir::SymbolId buffer) {
    if (plan_[buffer].kind != ir::SymbolKind::Buffer) breach(name(buffer) + " is no buffer");
  }

  void check_slot(ir::SymbolId slot, const std::string& role) {
    const auto kind = plan_[slot].kind;
    if (kind != ir::SymbolKind::Scalar && kind != ir::SymbolKind::Let) {
      breach(role + " " + name(slot) + " is no slot");
    }
  }

  void check_type(ir::SymbolId slot, ir::ScalarType type, const std::string& role) {
    check_slot(slot, role);
    if (plan_[slot].type != type) {
      breach(role + " " + name(slot) + " is no " + std::string(ir::name_of(type)));
    }
  }

  void check_cells(const Kernel& kernel) {
    if (!kernel.sweep && !kernel.epilogue.empty()) {
      breach("kernel " + kernel.name + " has an epilogue without a sweep");
    }
    SlotUse entry;
    for (const ScalarStep& step : kernel.prologue) entry.add(plan_, step);
    if (kernel.sweep) entry.add(accesses_of(plan_, *kernel.sweep));
    SlotUse whole = entry;
    for (const ScalarStep& step : kernel.epilogue) whole.add(plan_, step);
    for (const ir::SymbolId slot : kernel.shadows) {
      if (!whole.computed.contains(slot)) entry.read.insert(slot);
    }
    Symbols declared;
    const auto check_declared = [&](const Symbols& read) {
      for (const ir::SymbolId slot : read) {
        if (!declared.contains(slot)) {
          breach("kernel " + kernel.name + " reads " + name(slot) + " undeclared");
        }
      }
    };
    for (const Cell& cell : kernel.reads) declared.insert(cell.slot);
    check_declared(entry.read);
    for (const Cell& cell : kernel.epilogue_reads) declared.insert(cell.slot);
    check_declared(whole.read);
    for (const Cell& cell : kernel.writes) {
      if (!whole.computed.contains(cell.slot)) {
        breach("kernel " + kernel.name + " writes " + name(cell.slot) + " without computing it");
      }
    }
  }

  // One block is enough for a kernel without a sweep: nothing of it runs beside it.
  void check_hazards(const Kernel& kernel) {
    if (!kernel.sweep) return;
    check_epilogue(kernel);
    SlotUse prologue;
    for (const ScalarStep& step : kernel.prologue) prologue.add(plan_, step);
    for (const Cell& cell : kernel.writes) {
      // All other blocks have ended where the last one writes.
      if (kernel.last_block && !prologue.computed.contains(cell.slot)) continue;
      if (std::find(kernel.reads.begin(), kernel.reads.end(), cell) != kernel.reads.end()) {
        breach("kernel " + kernel.name + " writes the home of " + name(cell.slot) +
               ", which its other blocks may still read");
      }
    }
    for (const ir::SymbolId slot : kernel.shadows) {
      const Cell shadow{slot, Version::Shadow};
      if (std::find(kernel.reads.begin(), kernel.reads.end(), shadow) != kernel.reads.end()) {
        breach("kernel " + kernel.name + " fills the shadow of " + name(slot) +
               ", which its other blocks may still read");
      }
    }
    for (const ir::Range& range : kernel.sweep->ranges) {
      for (const ir::Expr& bound : {range.begin, range.end, range.step}) {
        if (bound && ir::contains_load(bound)) {
          breach("kernel " + kernel.name + " loads a bound, which its own stores may change");
        }
      }
    }
    const Accesses swept = accesses_of(plan_, *kernel.sweep);
    for (const ScalarStep& step : kernel.prologue) {
      Accesses accesses;
      add_reads(plan_, value_of(step), accesses);
      for (const ir::SymbolId buffer : accesses.loads) {
        if (swept.stores.contains(buffer)) {
          breach("kernel " + kernel.name + " stores to " + name(buffer) +
                 ", which the prologue of its other blocks may still read");
        }
      }
      if (!std::holds_alternative<Compute>(step.kind) &&
          !std::holds_alternative<Finish>(step.kind)) {
        breach("kernel " + kernel.name + " would end the launch once for each block");
      }
    }
  }

  void check_epilogue(const Kernel& kernel) {
    const Accesses swept = accesses_of(plan_, *kernel.sweep);
    const auto fed = reductions_fed(*kernel.sweep);
    for (const ScalarStep& step : kernel.epilogue) {
      Accesses accesses;
      add_reads(plan_, value_of(step), accesses);
      const auto* finish = std::get_if<Finish>(&step.kind);
      bool needs_others = finish != nullptr && fed.contains(finish->reduction);
      for (const ir::SymbolId buffer : accesses.loads) {
        needs_others = needs_others || swept.stores.contains(buffer);
      }
      if (needs_others && !kernel.last_block) {
        breach("kernel " + kernel.name + " ends with work that needs its other blocks' first");
      }
      if (std::holds_alternative<CheckStep>(step.kind)) {
        breach("kernel " + kernel.name + " may fault while its blocks run");
      }
    }
  }

  void check_partials(const Kernel& kernel) {
    finish_partials(kernel, kernel.prologue);
    if (kernel.sweep) feed_partials(kernel);
    finish_partials(kernel, kernel.epilogue);
  }

  void finish_partials(const Kernel& kernel, const std::vector<ScalarStep>& steps) {
    for (const ScalarStep& step : steps) {
      const auto* finish = std::get_if<Finish>(&step.kind);
      if (finish == nullptr) continue;
      const auto fed = fed_.find(finish->reduction);
      if (fed == fed_.end()) {
        breach("kernel " + kernel.name + " finishes a reduction that its line did not feed");
      } else {
        fed->second = true;
      }
    }
  }

  void feed_partials(const Kernel& kernel) {
    for_each_statement(kernel.sweep->body, [&](const Statement& statement) {
      const auto* contribute = std::get_if<Contribute>(&statement.kind);
      if (contribute == nullptr) return;
      if (contribute->reduction >= plan_.reductions.size()) {
        return breach("kernel " + kernel.name + " feeds a reduction that is not there");
      }
      const auto fed = fed_.find(contribute->reduction);
      if (fed != fed_.end() && !fed->second) {
        breach("reduction " + plan_.reductions[contribute->reduction].name +
               " is fed again before it is finished");
      }
      fed_[contribute->reduction] = false;
    });
  }

  void begin_line() {
    fed_.clear();
    filled_.clear();
  }

  void end_line() {
    for (const auto& [reduction, finished] : fed_) {
      if (!finished) {
        breach("reduction " + plan_.reductions[reduction].name + " is pending at a boundary");
      }
    }
    begin_line();
  }

  const Plan& plan_;
  std::vector<int> launches_;
  std::vector<std::string> breaches_;
  /// The reductions fed in this line, and whether they are finished.
  std::map<std::uint32_t, bool> fed_;
  /// The slots whose shadow holds the value that their home had.
  Symbols filled_;
};

}  // namespace

std::vector<std::string> verify_plan(const Plan& plan) {
  return VerifyPlan(plan).run();
}

}  // namespace gyre::plan
