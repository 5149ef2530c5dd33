#include "gyre/dispatch/break_even.hpp"

#include "gyre/base/error.hpp"

#include <cmath>

namespace gyre::dispatch {

std::optional<std::int64_t> break_even(const ShapeCost& cost) {
  for (const double one : {cost.capture, cost.eager, cost.replay}) {
    if (!(one >= 0) || std::isinf(one)) throw UsageError("a cost is a finite number from 0 on");
  }
  const double saving = cost.eager - cost.replay;
  if (saving <= 0) return std::nullopt;
  const double runs = std::ceil(cost.capture / saving);
  // More runs than there will ever be.
  if (runs > 9e18) return std::nullopt;
  return static_cast<std::int64_t>(runs);
}

}  // namespace gyre::dispatch
