/// Two neighbouring sweeps as one.
#pragma once

#include "gyre/plan/plan.hpp"

#include <optional>

namespace gyre::plan {

/// One sweep that does at each point what `first` does there, then what `second` does:
///
///     sweep i in 0..n                     sweep i in 0..n
///       q[i] = 2.0 * p[i]          =>       q[i] = 2.0 * p[i]
///     sweep k in 0..n                       sum #0 <- p[i] * q[i]
///       sum #0 <- p[k] * q[k]
///
/// None where they do not run over the same points, where a point of one meets what another point
/// of the other stores, where the user promised something about one alone, or where either may end
/// the launch: then the order of its points would show.
std::optional<Sweep> fuse_sweeps(const Plan& plan, const Sweep& first, const Sweep& second);

/// Whether a point of the sweep may do more, or less, than the program says of it alone.
bool may_join_points(const Sweep& sweep);

/// The body of `other` as statements of `sweep`'s points; none where it runs over
/// others, or by another team.
std::optional<std::vector<Statement>> body_over_same_points(const Plan& plan, const Sweep& sweep,
                                                            const Sweep& other);

}  // namespace gyre::plan
