/// Shapes for all loops of a plan that can be resident, whatever the sizes of a run: for tests of
/// emitted text.
#pragma once

#include "gyre/jit/resident_shape.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace gyre::support {

/// By the loops' numbers in the plan's order of branches. Everything lies on the chip that the crew
/// lets lie there.
inline std::map<std::uint32_t, jit::ResidentShape> resident_shapes(const plan::Plan& plan,
                                                                   jit::Crew crew) {
  std::map<std::uint32_t, jit::ResidentShape> shapes;
  const auto loops = plan::resident_loops(plan);
  std::uint32_t number = 0;
  plan::for_each_node(plan.body, [&](const plan::Node& node) {
    if (!plan::is_branch(node)) return;
    const auto* loop = std::get_if<plan::WhileNode>(&node);
    const std::uint32_t place = number++;
    if (std::find(loops.begin(), loops.end(), loop) == loops.end()) return;
    jit::ResidentShape shape{.crew = crew, .threads = 128, .strands = 2};
    if (crew == jit::Crew::Grid) shape = {.crew = crew, .threads = jit::grid_threads};
    for (const auto& [buffer, use] : plan::buffer_uses(plan, *loop)) {
      if (crew == jit::Crew::Grid) continue;
      if (use.owners != nullptr && jit::fits_registers(plan[buffer].type)) {
        shape.registers.insert(buffer);
      } else if (crew == jit::Crew::Block || !use.stores) {
        shape.shared.insert(buffer);
      }
    }
    shapes.emplace(place, shape);
  });
  return shapes;
}

}  // namespace gyre::support
