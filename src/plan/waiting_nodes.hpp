/// Calls, clears and copies that wait for the end of their straight line, or for a sweep: scalar
/// work that has nothing to do with them goes in front of them, where it may end a kernel that is
/// there anyway.
#pragma once

#include "gyre/plan/accesses.hpp"

#include <utility>
#include <vector>

namespace gyre::plan {

class WaitingNodes {
 public:
  /// A node that is no kernel and no branch, and the symbols that it touches.
  struct Waiting {
    Node node;
    std::vector<ir::SymbolId> symbols;
  };

  void add(Node node, std::vector<ir::SymbolId> symbols) {
    touched_.insert(symbols.begin(), symbols.end());
    waiting_.push_back({std::move(node), std::move(symbols)});
  }

  /// Whether the step may run before all of them.
  bool may_be_overtaken_by(const Plan& plan, const ScalarStep& step) const;

  /// In their order; none waits any more.
  std::vector<Waiting> take() {
    touched_.clear();
    return std::exchange(waiting_, {});
  }

 private:
  std::vector<Waiting> waiting_;
  Symbols touched_;
};

}  // namespace gyre::plan
