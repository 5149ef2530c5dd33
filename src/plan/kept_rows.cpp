#include "gyre/plan/kept_rows.hpp"

#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/plan/staging.hpp"
#include "gyre/plan/touches.hpp"

#include <algorithm>

namespace gyre::plan {
namespace {

ir::SymbolId bounds_of(const ir::Expr& fold) {
  const auto& range = std::get<ir::Fold>(fold->kind).ranges[0];
  return ir::as<ir::Load>(without_widening(range.begin))->buffer;
}

// A point that may end before its folds would read what the program does not.
bool may_fold_first(const Sweep& sweep) {
  return !points_may_fail(sweep);
}

KeptRows& rows_among(std::vector<KeptRows>& rows, const Plan& plan, const Sweep& sweep,
                     const ir::Expr& fold) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const KeptRows& one) {
    return goes_over(plan, one, sweep, fold);
  });
  return found != rows.end() ? *found
                             : rows.emplace_back(KeptRows{bounds_of(fold), &sweep, fold, {}});
}

}  // namespace

std::vector<KeptRows> kept_rows(const Plan& plan, const WhileNode& loop) {
  const auto uses = buffer_uses(plan, loop);
  const auto is_stored = [&](ir::SymbolId buffer) { return uses.at(buffer).stores; };
  std::vector<KeptRows> rows;
  for_each_kernel(plan, *loop.body, [&](const Kernel& kernel) {
    if (!kernel.sweep || !may_fold_first(*kernel.sweep) || !has_fixed_points(plan, *kernel.sweep)) {
      return;
    }
    for (const StagedFold& staged : staged_folds(plan, *kernel.sweep)) {
      if (is_stored(bounds_of(staged.fold))) continue;
      auto buffers = staged.buffers;
      std::erase_if(buffers, is_stored);
      if (buffers.empty()) continue;
      KeptRows& kept = rows_among(rows, plan, *kernel.sweep, staged.fold);
      for (const ir::SymbolId buffer : buffers) {
        if (std::find(kept.buffers.begin(), kept.buffers.end(), buffer) == kept.buffers.end()) {
          kept.buffers.push_back(buffer);
        }
      }
    }
  });
  return rows;
}

bool goes_over(const Plan& plan, const KeptRows& rows, const Sweep& sweep, const ir::Expr& fold) {
  return may_fold_first(sweep) && rows.bounds == bounds_of(fold) &&
         have_same_points(plan, *rows.owners, sweep);
}

unsigned bytes_per_term(const Plan& plan, const KeptRows& rows) {
  std::size_t bytes = 0;
  for (const ir::SymbolId buffer : rows.buffers) bytes += ir::size_of(plan[buffer].type);
  return static_cast<unsigned>(bytes);
}

}  // namespace gyre::plan
