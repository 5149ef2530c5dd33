#include "gyre/plan/host_decisions.hpp"

#include "gyre/plan/walk.hpp"

namespace gyre::plan {
namespace {

bool runs_on_host(const Node& node) {
  const auto* call = std::get_if<RunCall>(&node);
  return call != nullptr && call->callee->placement == ir::Placement::Host;
}

const std::string* region_of_branch(const Node& node) {
  if (const auto* loop = std::get_if<WhileNode>(&node)) return &loop->region;
  if (const auto* choice = std::get_if<IfNode>(&node)) return &choice->region;
  if (const auto* many = std::get_if<SwitchNode>(&node)) return &many->region;
  return nullptr;
}

/// Walks as for_each_node does, and knows which branches stand around a node.
class FindHostCalls {
 public:
  explicit FindHostCalls(const Block& body) { walk(body); }

  std::vector<bool> decided_by_host;
  struct Found {
    const RunCall* call;
    /// Outermost first.
    std::vector<const Node*> around;
  };
  std::vector<Found> calls;

 private:
  void walk(const Block& block) {
    for (const Node& node : block.nodes) {
      if (runs_on_host(node)) {
        for (const std::size_t branch : numbers_) decided_by_host[branch] = true;
        calls.push_back({&std::get<RunCall>(node), around_});
      }
      if (const auto* fork = std::get_if<ForkNode>(&node)) {
        for (const Block& arm : fork->arms) walk(arm);
      }
      if (region_of_branch(node) == nullptr) continue;
      numbers_.push_back(decided_by_host.size());
      around_.push_back(&node);
      decided_by_host.push_back(false);
      if (const auto* loop = std::get_if<WhileNode>(&node)) walk(*loop->body);
      if (const auto* choice = std::get_if<IfNode>(&node)) {
        walk(*choice->then);
        walk(*choice->otherwise);
      }
      if (const auto* many = std::get_if<SwitchNode>(&node)) {
        for (const Block& one : many->cases) walk(one);
        walk(*many->otherwise);
      }
      numbers_.pop_back();
      around_.pop_back();
    }
  }

  std::vector<std::size_t> numbers_;
  std::vector<const Node*> around_;
};

}  // namespace

std::vector<bool> host_decisions(const Plan& plan) {
  return FindHostCalls(plan.body).decided_by_host;
}

std::vector<const RunCall*> host_calls(const Plan& plan) {
  std::vector<const RunCall*> calls;
  for (const auto& found : FindHostCalls(plan.body).calls) calls.push_back(found.call);
  return calls;
}

std::vector<std::string> explain_host_decisions(const Plan& plan) {
  std::vector<std::string> sentences;
  for (const auto& found : FindHostCalls(plan.body).calls) {
    std::string sentence = "call '" + found.call->callee->name + "' in " + found.call->region +
                           " runs on the host, between graphs";
    std::string decided;
    for (const Node* branch : found.around) {
      // A branch that a pass made has no name of its own.
      const std::string& region = *region_of_branch(*branch);
      if (!region.empty()) decided += (decided.empty() ? "" : ", ") + region;
    }
    if (!decided.empty()) sentence += "; the host decides " + decided;
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

}  // namespace gyre::plan
