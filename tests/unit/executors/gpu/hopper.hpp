/// What the tests of resident loops take for a machine and for a run: facts alone.
#pragma once

#include "../../../../src/executors/gpu/grid.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gyre::executors {

/// An H200.
inline cuda::DeviceFacts hopper() {
  cuda::DeviceFacts facts;
  facts.sm = 90;
  facts.sm_count = 132;
  facts.max_threads_per_sm = 2048;
  facts.max_shared_per_block = 227 << 10;
  facts.cooperative_launch = true;
  return facts;
}

inline plan::Plan plan_of_text(const std::string& text) {
  return plan::make_plan(passes::run_passes(text::parse_program("p.gyre", text)), plan::all_steps);
}

/// Buffers without memory for a run of these sizes; outputs are kept where they are written if
/// `keeps_outputs`.
inline ir::Bound bound_by_sizes(const plan::Plan& plan,
                                const std::function<std::int64_t(const std::string&)>& size,
                                bool keeps_outputs = false) {
  ir::Bound bound;
  for (const ir::Symbol& symbol : plan.symbols) {
    const bool is_size = symbol.kind == ir::SymbolKind::Size;
    bound.values.push_back(is_size ? ir::Value(size(symbol.name)) : ir::Value());
  }
  for (const ir::Symbol& symbol : plan.symbols) {
    std::vector<std::int64_t> extents;
    for (const ir::Expr& extent : symbol.extents) {
      extents.push_back(evaluate(extent, bound.values).as_integer());
    }
    const bool kept = keeps_outputs && symbol.intent == ir::Intent::Out;
    bound.buffers.push_back({symbol.type, extents, nullptr, kept ? 1U : 0U});
  }
  return bound;
}

}  // namespace gyre::executors
