#include "segment.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
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

// What a kernel takes from memory on entry, and what it gives a value.
struct Slots {
  Symbols read;
  Symbols computed;
};

Slots slots_of(const Plan& plan, const std::vector<ScalarStep>& prologue,
               const std::optional<Sweep>& sweep) {
  Slots slots;
  const auto read = [&](const Accesses& accesses) {
    for (const ir::SymbolId slot : accesses.slots) {
      if (!slots.computed.contains(slot)) slots.read.insert(slot);
    }
  };
  for (const ScalarStep& step : prologue) {
    Accesses accesses;
    add_reads(plan, value_of(step), accesses);
    read(accesses);
    if (const auto slot = slot_of(step)) slots.computed.insert(*slot);
  }
  if (sweep) read(accesses_of(plan, *sweep));
  return slots;
}

// Drops what a later step overwrites unread. A value that loads stays: it may fault.
void drop_dead_steps(const Plan& plan, std::vector<ScalarStep>& steps) {
  Symbols overwritten;
  std::vector<ScalarStep> kept;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto slot = slot_of(*step);
    Accesses accesses;
    add_reads(plan, value_of(*step), accesses);
    const bool dead = slot && std::holds_alternative<Compute>(step->kind) &&
                      accesses.loads.empty() && overwritten.contains(*slot);
    if (dead) continue;
    // Where the launch may end, the values so far are results.
    if (slot) {
      overwritten.insert(*slot);
    } else {
      overwritten.clear();
    }
    for (const ir::SymbolId read : accesses.slots) overwritten.erase(read);
    kept.push_back(std::move(*step));
  }
  steps.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
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
  std::vector<std::uint32_t> launched;
  if (!may_join(sweep)) {
    if (const auto scalars = flush()) launched.push_back(*scalars);
  }
  launched.push_back(add_kernel(std::exchange(waiting_, {}), std::move(sweep), region, what));
  return launched;
}

std::optional<std::uint32_t> Segment::flush() {
  if (waiting_.empty()) return std::nullopt;
  const std::string region = waiting_.front().region;
  return add_kernel(std::exchange(waiting_, {}), std::nullopt, region, "scalars");
}

std::optional<std::uint32_t> Segment::flush_before_write(ir::SymbolId buffer) {
  Accesses accesses;
  for (const ScalarStep& step : waiting_) add_reads(plan_, value_of(step), accesses);
  return accesses.loads.contains(buffer) ? flush() : std::nullopt;
}

void Segment::end() {
  GYRE_CHECK(waiting_.empty(), "a straight line ended with scalar work left");
  line_.clear();
}

// Every block of a kernel with a sweep does the prologue for itself. That is wrong for work that
// must happen once, for loads of what the sweep stores, and for a slot that one block rewrites
// while another may still read it, unless an earlier kernel of the line can keep the old value.
bool Segment::may_join(const Sweep& sweep) const {
  const Accesses swept = accesses_of(plan_, sweep);
  for (const ScalarStep& step : waiting_) {
    if (!std::holds_alternative<Compute>(step.kind) && !std::holds_alternative<Finish>(step.kind)) {
      return false;
    }
    Accesses accesses;
    add_reads(plan_, value_of(step), accesses);
    for (const ir::SymbolId buffer : accesses.loads) {
      if (swept.stores.contains(buffer)) return false;
    }
  }
  const Slots slots = slots_of(plan_, waiting_, sweep);
  return std::all_of(slots.read.begin(), slots.read.end(), [&](ir::SymbolId slot) {
    return !slots.computed.contains(slot) || kernel_to_shadow(slot).has_value();
  });
}

// The last kernel of the line may copy a slot's home to its shadow, unless its own blocks read that
// shadow. Earlier ones would do as well; the last is never behind the slot's latest value.
std::optional<std::uint32_t> Segment::kernel_to_shadow(ir::SymbolId slot) const {
  if (line_.empty() || reads(plan_.kernels[line_.back()], {slot, Version::Shadow})) {
    return std::nullopt;
  }
  return line_.back();
}

std::uint32_t Segment::add_kernel(std::vector<ScalarStep> prologue, std::optional<Sweep> sweep,
                                  const std::string& region, const std::string& what) {
  drop_dead_steps(plan_, prologue);
  Kernel kernel;
  const std::string base = identifier(what.empty() ? region : region + "/" + what);
  const int number = names_[base]++;
  kernel.name = number == 0 ? base : base + "_" + std::to_string(number + 1);
  kernel.region = region;

  const Slots slots = slots_of(plan_, prologue, sweep);
  for (const ir::SymbolId slot : slots.read) {
    Cell cell{slot};
    if (sweep && slots.computed.contains(slot)) {
      Kernel& keeper = plan_.kernels[kernel_to_shadow(slot).value()];
      if (!contains(keeper.shadows, slot)) keeper.shadows.push_back(slot);
      // A keeper that does not write the slot has to read it first.
      if (!writes(keeper, slot) && !reads(keeper, {slot})) keeper.reads.push_back({slot});
      cell.version = Version::Shadow;
    }
    kernel.reads.push_back(cell);
  }
  for (const ir::SymbolId slot : slots.computed) kernel.writes.push_back({slot});
  kernel.prologue = std::move(prologue);
  kernel.sweep = std::move(sweep);

  plan_.kernels.push_back(std::move(kernel));
  line_.push_back(static_cast<std::uint32_t>(plan_.kernels.size() - 1));
  return line_.back();
}

}  // namespace gyre::plan
