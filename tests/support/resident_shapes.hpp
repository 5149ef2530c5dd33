/// Shapes for all loops of a plan that can be resident, whatever the sizes of a run: for tests of
/// emitted text.
#pragma once

#include "gyre/jit/resident_shape.hpp"
#include "gyre/plan/kept_rows.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace gyre::support {

/// Whether a block keeps its rows of that buffer.
inline bool lies_in(const std::vector<plan::KeptRows>& rows, const jit::ResidentShape& shape,
                    ir::SymbolId buffer) {
  return std::any_of(shape.rows.begin(), shape.rows.end(), [&](std::uint32_t i) {
    const auto& buffers = rows[i].buffers;
    return std::find(buffers.begin(), buffers.end(), buffer) != buffers.end();
  });
}

/// By the loops' numbers in the plan's order of branches. Everything lies on the chip that the crew
/// lets lie there. A grid owns the points of every second loop, and goes over the others' in
/// rounds.
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
    const auto rows = plan::kept_rows(plan, *loop);
    if (crew == jit::Crew::Grid && place % 2 != 0) {
      shape = {.crew = crew, .threads = jit::grid_threads, .points = 0};
    }
    if (crew != jit::Crew::Block && !shape.goes_in_rounds()) {
      for (std::uint32_t i = 0; i < rows.size(); ++i) shape.rows.insert(i);
    }
    for (const auto& [buffer, use] : plan::buffer_uses(plan, *loop)) {
      if (shape.goes_in_rounds()) continue;
      if (use.owners != nullptr && jit::fits_registers(plan[buffer].type)) {
        shape.registers.insert(buffer);
        continue;
      }
      if (crew == jit::Crew::Grid && use.writers != nullptr &&
          jit::fits_registers(plan[buffer].type)) {
        shape.copied.insert(buffer);
      } else if (crew == jit::Crew::Block || (crew == jit::Crew::Cluster && !use.stores)) {
        if (!lies_in(rows, shape, buffer)) shape.shared.insert(buffer);
      }
    }
    shapes.emplace(place, shape);
  });
  return shapes;
}

}  // namespace gyre::support
