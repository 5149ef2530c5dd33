/// Turns the body of a foreach into the statements of a sweep.
#pragma once

#include "gyre/plan/plan.hpp"

#include <vector>

namespace gyre::plan {

/// A sum into a scalar from outside: `slot += ` the finished reduction.
struct OuterSum {
  ir::SymbolId slot;
  std::uint32_t reduction;
};

struct LoweredBody {
  std::vector<Statement> statements;
  std::vector<OuterSum> sums;
};

/// Adds the body's reductions to `plan`.
LoweredBody lower_body(const ir::Region& body, Plan& plan);

}  // namespace gyre::plan
