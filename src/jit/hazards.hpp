/// Where the threads of a resident loop must meet: between parts of which one touches what another
/// thread wrote, or writes what another may still read.
#pragma once

#include "gyre/plan/touches.hpp"

#include <map>
#include <set>
#include <vector>

namespace gyre::jit {

/// What one part of a resident loop touches, a thread's own points or all of it.
struct Part {
  /// Whose points the touches belong to; null: every thread touches everything.
  const plan::Sweep* sweep = nullptr;
  std::map<ir::SymbolId, plan::Touch> buffers = {};
  /// Reductions whose partials the part leaves, and those that it finishes.
  std::set<std::uint32_t> left = {};
  std::set<std::uint32_t> finished = {};
};

/// Scalar work, which every thread does for itself.
Part part_of(const plan::Plan& plan, const std::vector<plan::ScalarStep>& steps);
Part part_of(const plan::Sweep& sweep);

class Hazards {
 public:
  /// `on_chip` are buffers that do not lie in memory.
  explicit Hazards(const plan::Plan& plan, const std::set<ir::SymbolId>& on_chip = {});

  /// Whether all must meet before `part`. It is pending from then on.
  bool needs_meeting(const Part& part);
  /// All have met: nothing is pending.
  void met() { pending_.clear(); }

  /// What is pending, to be put back before another arm of a branch, and joined behind it.
  std::vector<Part> pending() const { return pending_; }
  void resume(std::vector<Part> pending) { pending_ = std::move(pending); }
  void join(const std::vector<Part>& pending);

 private:
  bool collide(const Part& earlier, const Part& later) const;
  /// Whether the buffers may have the same memory, each in its time.
  bool reuse_memory(ir::SymbolId a, ir::SymbolId b) const;
  bool collide_in_reused_memory(const Part& earlier, const Part& later) const;

  const plan::Plan& plan_;
  /// In memory, by symbol.
  std::map<ir::SymbolId, const plan::Temporary*> temporaries_;
  std::vector<Part> pending_;
};

}  // namespace gyre::jit
