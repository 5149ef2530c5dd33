#include "pieces.hpp"

#include <algorithm>
#include <variant>

namespace gyre::executors {

const plan::RunCall* call_in(const jit::Step& step) {
  return step.kernel ? nullptr : std::get_if<plan::RunCall>(step.node);
}

bool runs_on_host(const plan::RunCall& call) {
  return call.callee->placement == ir::Placement::Host;
}

Steps Pieces::leading(Steps steps) const {
  std::size_t size = 0;
  while (size < steps.size() && runs_alone(steps[size])) ++size;
  return steps.first(size);
}

bool Pieces::runs_alone(const jit::Step& step) const {
  if (const auto* call = call_in(step)) return policy_.records_calls && !runs_on_host(*call);
  if (step.side_by_side) {
    return std::all_of(step.blocks.begin(), step.blocks.end(),
                       [&](const auto& arm) { return leading(arm).size() == arm.size(); });
  }
  return step.blocks.empty() || !emitted_.host_decides[step.number];
}

bool Pieces::is_graph(Steps piece) const {
  if (!policy_.graphs || piece.empty()) return false;
  const jit::Step& first = piece.front();
  return piece.size() > 1 || call_in(first) != nullptr || !first.blocks.empty();
}

bool Pieces::need_host() const {
  const Steps all = emitted_.steps;
  return !is_graph(all) || leading(all).size() != all.size();
}

}  // namespace gyre::executors
