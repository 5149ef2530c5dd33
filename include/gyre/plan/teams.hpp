/// How many threads of a GPU run one point of a sweep: the choice, and when there is one.
///
/// A thread for each point suits short folds. Long ones within few points leave most of a GPU idle
/// and read memory in strides; a warp or a block then shares each fold, whose strands are shaped
/// for it, so that no bit depends on the choice.
#pragma once

#include "gyre/plan/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

namespace gyre::plan {

/// Whether a point of `sweep` folds.
bool folds_within_points(const Sweep& sweep);

/// From so many terms on a fold is long: the forms of a kernel for short and long folds differ by
/// what they keep in registers.
inline constexpr double long_fold = 8;

/// For how many elements of a buffer each warp gets shared memory where the folds of its points are
/// staged (staging.hpp): of about so many terms each, one of which takes `bytes_per_term` of the
/// `shared_bytes` of a multiprocessor. 0 where it does not pay.
unsigned choose_stage(double terms, unsigned bytes_per_term, std::size_t shared_bytes);

/// Whether several threads may run a point of `sweep` together: there is a fold in it to share out,
/// it feeds no fold of its own, whose strands are threads, and it loads nothing that it stores, so
/// that all threads see the same; or a team runs it.
bool may_share_points(const Plan& plan, const Sweep& sweep);

/// Whether the team that the program asks for runs the points of `sweep`: there is a fold or an
/// inner foreach in it to share out, it feeds no fold of its own, and its threads end early
/// together. What it stores and loads its threads see by meeting around the stores.
bool is_run_by_team(const Sweep& sweep);

/// The buffers that `sweep` stores and loads.
std::set<ir::SymbolId> stored_and_loaded(const Plan& plan, const Sweep& sweep);

/// The buffers around whose stores the threads of a team meet: those that `sweep` loads too, and
/// those of which one of its threads may store an element behind another, since an inner foreach
/// stores to them and so does another statement, or a later trip of a loop around it.
std::set<ir::SymbolId> met_by_team(const Plan& plan, const Sweep& sweep);

inline constexpr unsigned warp_lanes = 32;
inline constexpr unsigned block_lanes = 256;

/// 1, warp_lanes or block_lanes: what `wanted` says, else by the number of points and of terms of
/// the longest fold within each, as far as they are known.
unsigned choose_lanes(ir::Team wanted, std::optional<std::int64_t> points,
                      std::optional<double> terms);

}  // namespace gyre::plan
