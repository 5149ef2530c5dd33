/// What the tests of emitted kernels make of a program, and whether NVRTC takes it.
#pragma once

#include "gyre/jit/compile.hpp"
#include "gyre/jit/emit_module.hpp"
#include "gyre/jit/nvrtc.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"

#include <string>

namespace gyre::jit {

/// The plan of a program behind all passes, without steps of the plan itself unless they are given.
inline plan::Plan plan_of(const ir::Program& program,
                          const plan::PlanSteps& steps = plan::no_steps) {
  return plan::make_plan(passes::run_passes(program), steps);
}

inline plan::Plan plan_of_text(const std::string& text,
                               const plan::PlanSteps& steps = plan::no_steps) {
  return plan_of(text::parse_program("test.gyre", text), steps);
}

/// Whether NVRTC makes code of the plan's kernels.
inline bool compiles(const plan::Plan& plan, const EmitOptions& options,
                     const char* architecture = "sm_90") {
  const EmittedModule module = emit_module(plan, options);
  return !compile_cubin({module.source, plan.name, architecture}).bytes.empty();
}

}  // namespace gyre::jit
