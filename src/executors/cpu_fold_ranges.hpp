/// The ranges of a fold within a lane, read for all lanes at once. Leaves out the terms.
#pragma once

#include "cpu_machine.hpp"

namespace gyre::executors::cpu {

/// Fills `scratch` with the begin, step and count of each range and, where there is more than one,
/// the number of terms, for each of `lanes`.
void read_fold_ranges(Machine& machine, const Context& context, const FoldCode& fold,
                      FoldScratch& scratch, const Lanes& lanes);

}  // namespace gyre::executors::cpu
