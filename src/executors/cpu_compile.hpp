/// Compiles what kernels hold to register code. Leaves out running it (cpu_machine.hpp).
#pragma once

#include "cpu_bytecode.hpp"
#include "gyre/plan/plan.hpp"

#include <span>
#include <string>

namespace gyre::executors::cpu {

/// The body of `kernel`'s sweep.
Body compile_sweep(const plan::Plan& plan, const plan::Kernel& kernel);

/// The values of scalar expressions, told of as faults in `region`.
Body compile_scalars(const plan::Plan& plan, std::span<const ir::Expr> values,
                     const std::string& region);

}  // namespace gyre::executors::cpu
