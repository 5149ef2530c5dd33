#include "segment.hpp"

#include "fuse_sweeps.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "scalar_steps.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace gyre::plan {
namespace {

bool contains(const std::vector<ir::SymbolId>& list, ir::SymbolId id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

bool reads(const Kernel& kernel, Cell cell) {
  return std::find(kernel.reads.begin(), kernel.reads.end(), cell) != kernel.reads.end();
}

bool writes(const Kernel& kernel, ir::SymbolId slot) {
  return std::find(kernel.writes.begin(), kernel.writes.end(), Cell{slot}) != kernel.writes.end();
}

// What every block does.
SlotUse entry_use(const Plan& plan, const std::vector<ScalarStep>& prologue,
                  const std::optional<Sweep>& sweep) {
  SlotUse use;
  for (const ScalarStep& step : prologue) use.add(plan, step);
  if (sweep) use.add(accesses_of(plan, *sweep));
  return use;
}

SlotUse use_of(const Plan& plan, const std::vector<ScalarStep>& steps) {
  return entry_use(plan, steps, std::nullopt);
}

// A name that C++ accepts and a profiler's reader recognises: cg_while0_foreach1.
std::string identifier(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '#') continue;
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> Segment::sweep(Sweep sweep, const std::string& region,
                                          const std::string& what) {
  if (join_last(sweep)) return {};
  std::vector<std::uint32_t> launched;
  SplitSteps split{std::exchange(waiting_, {}), {}};
  // Nothing waits behind what may end the launch.
  if (ends_kernels_ && !may_fault(sweep))
    split = split_needed(plan_, split.needed, accesses_of(plan_, sweep).slots);
  const bool rest_may_wait = !meet(loads_of(plan_, split.rest), accesses_of(plan_, sweep).stores);
  if (!rest_may_wait || !may_be_prologue(split.needed, sweep)) {
    waiting_ = std::move(split.needed);
    std::move(split.rest.begin(), split.rest.end(), std::back_inserter(waiting_));
    split = {};
    if (const auto scalars = flush()) launched.push_back(*scalars);
  }
  launched.push_back(add_kernel(std::move(split.needed), std::move(sweep), region, what));
  waiting_ = std::move(split.rest);
  return launched;
}

std::optional<std::uint32_t> Segment::flush() {
  if (waiting_.empty() || end_last()) return std::nullopt;
  const std::string region = waiting_.front().region;
  return add_kernel(std::exchange(waiting_, {}), std::nullopt, region, "scalars");
}

std::optional<std::uint32_t> Segment::flush_before_write(ir::SymbolId buffer) {
  return waiting_loads().contains(buffer) ? flush() : std::nullopt;
}

Symbols Segment::waiting_loads() const {
  return loads_of(plan_, waiting_);
}

void Segment::end() {
  GYRE_CHECK(waiting_.empty(), "a straight line ended with scalar work left");
  cut();
}

Kernel* Segment::open_kernel() {
  return is_open_ ? &plan_.kernels[line_.back()] : nullptr;
}

// The sweep, and before it the scalar work that it needs, as more of the last kernel. What it needs
// may not be what the kernel itself leaves for later, nor anything that changes what it reads.
bool Segment::join_last(const Sweep& sweep) {
  Kernel* const last = fuses_ ? open_kernel() : nullptr;
  if (last == nullptr || !last->sweep || !last->epilogue.empty()) return false;
  auto fused = fuse_sweeps(plan_, *last->sweep, sweep);
  if (!fused) return false;

  const Accesses swept = accesses_of(plan_, sweep);
  const SplitSteps split = split_needed(plan_, waiting_, swept.slots);
  const SlotUse before = entry_use(plan_, last->prologue, last->sweep);
  const SlotUse needed = use_of(plan_, split.needed);
  const bool only_computes =
      std::all_of(split.needed.begin(), split.needed.end(), [](const ScalarStep& step) {
        return std::holds_alternative<Compute>(step.kind) && !needs_checks(step);
      });
  const bool keeps_order = !meet(needed.computed, before.read) &&
                           !meet(needed.computed, before.computed) &&
                           !meet(needed.computed, needed.read);
  const Symbols stored = accesses_of(plan_, *fused).stores;
  if (!only_computes || !keeps_order || meet(loads_of(plan_, last->prologue), stored) ||
      meet(loads_of(plan_, split.needed), stored) ||
      meet(loads_of(plan_, split.rest), swept.stores)) {
    return false;
  }
  last->prologue.insert(last->prologue.end(), split.needed.begin(), split.needed.end());
  last->sweep = std::move(fused);
  waiting_ = split.rest;
  set_cells();
  return true;
}

// The waiting work as the end of the last kernel.
bool Segment::end_last() {
  Kernel* const last = ends_kernels_ ? open_kernel() : nullptr;
  if (last == nullptr) return false;
  const bool may_fault_itself =
      std::any_of(waiting_.begin(), waiting_.end(), [](const ScalarStep& step) {
        return std::holds_alternative<CheckStep>(step.kind) || needs_checks(step);
      });
  if (may_fault_itself || may_fault(*last)) return false;
  auto& steps = last->sweep ? last->epilogue : last->prologue;
  std::move(waiting_.begin(), waiting_.end(), std::back_inserter(steps));
  waiting_.clear();
  drop_dead_steps(plan_, steps);
  last->last_block = last->sweep && needs_last_block(*last, steps);
  set_cells();
  return true;
}

// One block may do the epilogue beside the others, unless it needs what they leave, or would
// overwrite what they still read and no kernel before it can keep.
bool Segment::needs_last_block(const Kernel& kernel,
                               const std::vector<ScalarStep>& epilogue) const {
  const auto fed = reductions_fed(*kernel.sweep);
  const bool finishes_own =
      std::any_of(epilogue.begin(), epilogue.end(), [&](const ScalarStep& step) {
        const auto* finish = std::get_if<Finish>(&step.kind);
        return finish != nullptr && fed.contains(finish->reduction);
      });
  if (finishes_own || meet(loads_of(plan_, epilogue), accesses_of(plan_, *kernel.sweep).stores)) {
    return true;
  }
  const SlotUse entry = entry_use(plan_, kernel.prologue, kernel.sweep);
  const SlotUse late = use_of(plan_, epilogue);
  return std::any_of(entry.read.begin(), entry.read.end(), [&](ir::SymbolId slot) {
    return late.computed.contains(slot) && !keeper_of(slot, line_.size() - 1);
  });
}

// Every block of a kernel with a sweep does the prologue for itself. That is wrong for work that
// must happen once, for loads of what the sweep stores, and for a slot that one block rewrites
// while another may still read it, unless an earlier kernel of the line can keep the old value.
bool Segment::may_be_prologue(const std::vector<ScalarStep>& steps, const Sweep& sweep) const {
  const bool may_repeat = std::all_of(steps.begin(), steps.end(), [](const ScalarStep& step) {
    return std::holds_alternative<Compute>(step.kind) || std::holds_alternative<Finish>(step.kind);
  });
  if (!may_repeat || meet(loads_of(plan_, steps), accesses_of(plan_, sweep).stores)) return false;
  const SlotUse use = entry_use(plan_, steps, sweep);
  return std::all_of(use.read.begin(), use.read.end(), [&](ir::SymbolId slot) {
    return !use.computed.contains(slot) || keeper_of(slot, line_.size());
  });
}

// The kernel before may copy a slot's home to its shadow, unless its own blocks read that shadow.
// Earlier ones would do as well; the last is never behind the slot's latest value.
std::optional<std::uint32_t> Segment::keeper_of(ir::SymbolId slot, std::size_t behind) const {
  if (behind == 0 || reads(plan_.kernels[line_[behind - 1]], {slot, Version::Shadow})) {
    return std::nullopt;
  }
  return line_[behind - 1];
}

void Segment::set_cells() {
  Kernel& kernel = plan_.kernels[line_.back()];
  const SlotUse entry = entry_use(plan_, kernel.prologue, kernel.sweep);
  const SlotUse late = use_of(plan_, kernel.epilogue);
  kernel.reads.clear();
  kernel.epilogue_reads.clear();
  kernel.writes.clear();
  for (const ir::SymbolId slot : entry.read) {
    Cell cell{slot};
    const bool is_rewritten =
        entry.computed.contains(slot) || (!kernel.last_block && late.computed.contains(slot));
    if (kernel.sweep && is_rewritten) {
      Kernel& keeper = plan_.kernels[keeper_of(slot, line_.size() - 1).value()];
      if (!contains(keeper.shadows, slot)) keeper.shadows.push_back(slot);
      // A keeper that does not write the slot has to read it first.
      if (!writes(keeper, slot) && !reads(keeper, {slot})) keeper.reads.push_back({slot});
      cell.version = Version::Shadow;
    }
    kernel.reads.push_back(cell);
  }
  for (const ir::SymbolId slot : late.read) {
    if (!entry.read.contains(slot) && !entry.computed.contains(slot)) {
      kernel.epilogue_reads.push_back({slot});
    }
  }
  Symbols computed = entry.computed;
  computed.insert(late.computed.begin(), late.computed.end());
  for (const ir::SymbolId slot : computed) kernel.writes.push_back({slot});
}

std::uint32_t Segment::add_kernel(std::vector<ScalarStep> prologue, std::optional<Sweep> sweep,
                                  const std::string& region, const std::string& what) {
  drop_dead_steps(plan_, prologue);
  Kernel kernel;
  const std::string base = identifier(what.empty() ? region : region + "/" + what);
  kernel.name = base;
  for (int number = 2; !names_.insert(kernel.name).second; ++number) {
    kernel.name = base + "_" + std::to_string(number);
  }
  kernel.region = region;
  kernel.prologue = std::move(prologue);
  kernel.sweep = std::move(sweep);

  plan_.kernels.push_back(std::move(kernel));
  line_.push_back(static_cast<std::uint32_t>(plan_.kernels.size() - 1));
  is_open_ = true;
  set_cells();
  return line_.back();
}

}  // namespace gyre::plan
