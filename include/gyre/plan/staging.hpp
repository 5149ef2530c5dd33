/// Folds within the points of a sweep whose terms neighbouring points take from memory that lies
/// side by side, as the rows of a matrix in CSR do: the threads of a warp can bring them to shared
/// memory together, however long each fold is.
///
/// Leaves out when that pays (teams.hpp).
#pragma once

#include "gyre/plan/plan.hpp"

#include <vector>

namespace gyre::plan {

struct StagedFold {
  /// The node within the sweep's body.
  ir::Expr fold;
  /// Buffers of which the term at k reads element k, whatever the values are.
  std::vector<ir::SymbolId> buffers;
};

/// Folds over `b[i]..b[i + 1]` of a sweep over i, which each point evaluates and whose terms depend
/// on nothing that the sweep stores or a point computes: they may come first in a point.
std::vector<StagedFold> staged_folds(const Plan& plan, const Sweep& sweep);

/// The value before it was made wider; what the program casts itself stays.
const ir::Expr& without_widening(const ir::Expr& expr);

/// The bytes that one term of those folds takes in shared memory. Folds take turns there.
unsigned staged_bytes_per_term(const Plan& plan, const std::vector<StagedFold>& folds);

}  // namespace gyre::plan
