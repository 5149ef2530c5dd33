#include "gyre/passes/pipeline.hpp"

#include "gyre/passes/expand_assignments.hpp"
#include "gyre/passes/lower_fill.hpp"
#include "gyre/passes/lower_for.hpp"
#include "gyre/passes/lower_jumps.hpp"
#include "gyre/passes/lower_primitives.hpp"
#include "gyre/passes/materialize_conditions.hpp"
#include "gyre/passes/name_folds.hpp"
#include "gyre/passes/split_declarations.hpp"

#include <utility>

namespace gyre::passes {
namespace {

constexpr PassInfo passes[] = {
    {"split_declarations", "separate declarations from first values", split_declarations},
    {"lower_primitives", "make parallel loops of scans, sorts and selections", lower_primitives},
    {"expand_assignments", "write compound assignments out", expand_assignments},
    {"lower_fill", "make fills parallel loops", lower_fill},
    {"lower_for", "make counted loops whiles over their trips", lower_for},
    {"lower_jumps", "turn break, continue and stop into flags", lower_jumps},
    {"materialize_conditions", "put every condition into a slot", materialize_conditions},
    {"name_folds", "let every device-wide fold stand alone", name_folds},
};

}  // namespace

std::span<const PassInfo> pipeline() {
  return passes;
}

ir::Program run_passes(ir::Program program, const PassObserver& observe) {
  for (const PassInfo& pass : passes) {
    auto after = pass.run(program);
    if (observe) observe(pass, program, after);
    program = std::move(after);
  }
  return program;
}

}  // namespace gyre::passes
