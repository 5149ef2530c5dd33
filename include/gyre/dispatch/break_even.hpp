/// When making something ready once pays for itself: a graph that is captured, a program that is
/// compiled.
#pragma once

#include <cstdint>
#include <optional>

namespace gyre::dispatch {

/// What one shape costs, in microseconds.
struct ShapeCost {
  /// Making it ready, once.
  double capture = 0;
  /// A run that is launched piece by piece, without that.
  double eager = 0;
  /// A run of what was made ready.
  double replay = 0;
};

/// After how many runs having made the shape ready has cost no more than running it eagerly: from
/// the next run on it is ahead. 0 where making it costs nothing; none where a replay is no quicker
/// than an eager run, so that it never pays.
///
///     capture + runs · replay <= runs · eager
std::optional<std::int64_t> break_even(const ShapeCost& cost);

}  // namespace gyre::dispatch
