/// The one meaning of each region: the oracle that every other way to run a program is compared
/// with, bit for bit.
///
/// Written to be read, not to be fast. Leaves out which programs are legal: it takes verified ones,
/// and an illegal one ends in InternalError.
#pragma once

#include "gyre/ir/arguments.hpp"
#include "gyre/ir/outcome.hpp"
#include "gyre/ir/program.hpp"
#include "gyre/ir/run_options.hpp"

namespace gyre::ir {

/// Runs `program` on `arguments`, whose `out` and `inout` buffers are written in place.
///
/// Throws UsageError where the arguments do not fit (bind.hpp) or a call has no host function. How
/// the run ended is in the outcome: bounds are always checked, an index outside its buffer being a
/// fault that touches no memory. Of several faults within one foreach the least in (statement,
/// linear index, access) order is told; an index stops at its first.
Outcome interpret(const Program& program, const Arguments& arguments,
                  const RunOptions& options = {});

}  // namespace gyre::ir
