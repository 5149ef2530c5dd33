/// Rows that a resident loop goes through trip after trip, as those of a matrix in CSR: whoever
/// owns the points may keep the rows of these on the chip.
///
/// Leaves out how many find room there (executors/).
#pragma once

#include "gyre/plan/plan.hpp"

#include <vector>

namespace gyre::plan {

struct KeptRows {
  /// Row i is `bounds[i]..bounds[i + 1]`.
  ir::SymbolId bounds{};
  /// A sweep over the rows' points. Every one that folds over these rows has the same points.
  const Sweep* owners = nullptr;
  /// A fold over a row, as `owners` has it.
  ir::Expr fold = {};
  /// What such folds read at each index of their rows. The loop stores to none of it.
  std::vector<ir::SymbolId> buffers = {};
};

/// The rows that staged folds (staging.hpp) of the loop go over and that may be read before all
/// else that their points do, in the order in which a trip comes to them.
std::vector<KeptRows> kept_rows(const Plan& plan, const WhileNode& loop);

/// Whether a staged fold of `sweep` goes over those rows.
bool goes_over(const Plan& plan, const KeptRows& rows, const Sweep& sweep, const ir::Expr& fold);

/// The bytes of one element of each buffer.
unsigned bytes_per_term(const Plan& plan, const KeptRows& rows);

}  // namespace gyre::plan
