/// A straight line of kernels under construction: scalar work that waits for a sweep, and the rules
/// under which it may join one.
#pragma once

#include "gyre/plan/accesses.hpp"
#include "gyre/plan/plan_steps.hpp"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace gyre::plan {

/// Gathers scalar steps and turns them and sweeps into the plan's kernels.
class Segment {
 public:
  /// `steps`: whether sweeps may join the kernel before them, and whether scalar work may end it.
  Segment(Plan& plan, const PlanSteps& steps)
      : plan_(plan), fuses_(steps.fuse_sweeps), ends_kernels_(steps.epilogues) {}

  /// Scalar work, to be done before whatever needs it and before the line ends.
  void add(ScalarStep step) { waiting_.push_back(std::move(step)); }

  /// A kernel with this sweep, and with waiting work as its prologue where that is right. Returns
  /// the kernels to launch, in order: none where the sweep has joined the last one.
  std::vector<std::uint32_t> sweep(Sweep sweep, const std::string& region, const std::string& what);

  /// The waiting work as a kernel of its own, if there is any and the last one cannot do it.
  std::optional<std::uint32_t> flush();
  /// As flush, if waiting work reads `buffer`, which is about to change.
  std::optional<std::uint32_t> flush_before_write(ir::SymbolId buffer);

  /// What waiting work will load.
  Symbols waiting_loads() const;

  /// Something other than a kernel comes: what follows cannot join the last kernel.
  void close() { is_open_ = false; }
  /// Something comes that may write slots: no shadow is remembered either. Work may wait.
  void cut() {
    line_.clear();
    close();
  }
  /// Ends the line: nothing waits, and no shadow is remembered. Work must have been flushed.
  void end();

 private:
  std::uint32_t add_kernel(std::vector<ScalarStep> prologue, std::optional<Sweep> sweep,
                           const std::string& region, const std::string& what);
  bool join_last(const Sweep& sweep);
  bool end_last();
  /// Settles which cells the last kernel of the line reads and writes.
  void set_cells();

  bool may_be_prologue(const std::vector<ScalarStep>& steps, const Sweep& sweep) const;
  bool needs_last_block(const Kernel& kernel, const std::vector<ScalarStep>& epilogue) const;
  /// The kernel of the line, before its place `behind`, that may keep the slot's old value.
  std::optional<std::uint32_t> keeper_of(ir::SymbolId slot, std::size_t behind) const;
  /// The line's last kernel where more work may join it, else null.
  Kernel* open_kernel();

  Plan& plan_;
  bool fuses_;
  bool ends_kernels_;
  std::vector<ScalarStep> waiting_;
  /// The kernels of this line so far.
  std::vector<std::uint32_t> line_;
  bool is_open_ = false;
  /// Of all kernels so far, and of those that stand at the ends of every launch.
  std::unordered_set<std::string> names_ = {"gyre_begin", "gyre_end"};
};

}  // namespace gyre::plan
