#include "drop_clears.hpp"

#include "fate.hpp"

#include <utility>

namespace gyre::plan {
namespace {

void drop_clears(const Plan& plan, Block& block) {
  for (std::size_t i = block.nodes.size(); i-- > 0;) {
    Node& node = block.nodes[i];
    if (const auto* clear = std::get_if<Clear>(&node)) {
      const bool is_temp = plan[clear->buffer].intent == ir::Intent::Temp;
      const Fate fate = fate_of(plan, clear->buffer, block, i + 1);
      if (fate == Fate::Overwritten || (is_temp && fate == Fate::Untouched)) {
        block.nodes.erase(block.nodes.begin() + static_cast<std::ptrdiff_t>(i));
      }
    } else if (auto* loop = std::get_if<WhileNode>(&node)) {
      drop_clears(plan, *loop->body);
    } else if (auto* choice = std::get_if<IfNode>(&node)) {
      drop_clears(plan, *choice->then);
      drop_clears(plan, *choice->otherwise);
    } else if (auto* many = std::get_if<SwitchNode>(&node)) {
      for (Block& one : many->cases) drop_clears(plan, one);
      drop_clears(plan, *many->otherwise);
    }
  }
}

}  // namespace

void drop_clears(Plan& plan) {
  Block body = std::move(plan.body);
  drop_clears(plan, body);
  plan.body = std::move(body);
}

}  // namespace gyre::plan
