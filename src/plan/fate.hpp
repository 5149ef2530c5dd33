/// What becomes of a buffer's contents in a stretch of a plan.
#pragma once

#include "gyre/plan/plan.hpp"

#include <cstddef>

namespace gyre::plan {

/// `Overwritten`: wholly, on every path, before anything reads them. `Needed`: something may.
enum class Fate { Untouched, Overwritten, Needed };

/// From node number `first` of the block to its end.
Fate fate_of(const Plan& plan, ir::SymbolId buffer, const Block& block, std::size_t first = 0);

}  // namespace gyre::plan
