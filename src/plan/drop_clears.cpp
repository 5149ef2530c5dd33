#include "drop_clears.hpp"

#include "fate.hpp"
#include "gyre/plan/walk.hpp"

namespace gyre::plan {

void drop_clears(Plan& plan) {
  for_each_block(plan.body, [&](Block& block) {
    for (std::size_t i = block.nodes.size(); i-- > 0;) {
      const auto* clear = std::get_if<Clear>(&block.nodes[i]);
      if (clear == nullptr) continue;
      const bool is_temp = plan[clear->buffer].intent == ir::Intent::Temp;
      const Fate fate = fate_of(plan, clear->buffer, block, i + 1);
      if (fate == Fate::Overwritten || (is_temp && fate == Fate::Untouched)) {
        block.nodes.erase(block.nodes.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  });
}

}  // namespace gyre::plan
