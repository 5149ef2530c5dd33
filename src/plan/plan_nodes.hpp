/// The nodes of a plan in the order in which they run, while the plan is made: what may join a
/// kernel or wait for one, and from where to where temps live.
///
/// Leaves out what becomes of each statement (make_plan) and the kernels themselves (segment).
#pragma once

#include "gyre/plan/plan_steps.hpp"
#include "new_symbols.hpp"
#include "segment.hpp"
#include "temp_lives.hpp"
#include "waiting_nodes.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gyre::plan {

class PlanNodes {
 public:
  PlanNodes(Plan& plan, NewSymbols& symbols, const PlanSteps& steps)
      : plan_(plan),
        symbols_(symbols),
        overtaking_(steps.overtaking),
        segment_(plan, steps),
        lives_(plan) {}

  /// What `fill` makes, as a block: a straight line from its start to its end. What waits outside
  /// has been flushed before.
  template <class Fill>
  Block block(Fill fill) {
    Block made;
    Block* const outer = std::exchange(block_, &made);
    segment_.end();
    fill();
    end_line();
    block_ = outer;
    return made;
  }

  /// Scalar work, which may wait for its kernel.
  void add(ScalarStep step);
  /// The same of a step that computes `value`, whose loads happen with the next kernel; null: none.
  void add(ScalarStep step, const ir::Expr& value);
  /// A node that is no kernel and no branch, and the symbols that it touches: in program order
  /// where the order of faults has to be the program's.
  void put(Node node, std::vector<ir::SymbolId> symbols);
  /// A sweep of that region, in a kernel of its own or in the last one. `what` names it.
  void sweep(Sweep made, const std::string& region, const std::string& what);
  /// A branch or a loop, whose slot has been read; or a fork.
  void branch(Node node) { emit(std::move(node)); }
  /// The nodes of a finished block, in place of it.
  void splice(Block block);

  /// Scalar work becomes a kernel now.
  void flush();
  /// The same, if it reads `buffer`, which is about to change.
  void flush_before_write(ir::SymbolId buffer);
  /// Nothing waits any more, and what follows stands in kernels of its own.
  void end_line();

  /// Where loops, forks and arms begin and end, for the temps that live through them.
  TempLives& lives() { return lives_; }

 private:
  void name_loaded_bounds(ir::Range& range, const std::string& region);
  void note_loads(const ir::Expr& value);
  void emit_waiting();
  void launch(std::uint32_t kernel);
  void emit(Node node);

  Plan& plan_;
  NewSymbols& symbols_;
  bool overtaking_;
  Segment segment_;
  TempLives lives_;
  WaitingNodes waiting_;
  Block* block_ = nullptr;
};

}  // namespace gyre::plan
