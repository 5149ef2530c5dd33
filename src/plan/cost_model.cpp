#include "gyre/plan/cost_model.hpp"

#include <algorithm>
#include <cmath>

namespace gyre::plan {
namespace {

double node_price(const CostTable& table, std::span<const std::size_t> arm_kernels) {
  const auto arms = arm_kernels.size();
  const auto with_work = std::count_if(arm_kernels.begin(), arm_kernels.end(),
                                       [](std::size_t kernels) { return kernels > 0; });
  if (with_work == 0) return 0;
  if (with_work == 1) {
    const double taken = 1.0 / static_cast<double>(arms);
    return taken * table.if_taken + (1 - taken) * table.if_not_taken;
  }
  if (arms == 2) return table.if_else;
  // 0 at 8 arms, 1 at 64.
  const double growth = (std::log2(static_cast<double>(arms)) - 3) / 3;
  return table.switch_of_8 + std::max(0.0, growth) * (table.switch_of_64 - table.switch_of_8);
}

}  // namespace

TripEstimate estimate_trips(const WhileNode& loop) {
  TripEstimate estimate;
  if (loop.expect) estimate.trips = static_cast<double>(*loop.expect);
  if (loop.constant_limit) {
    estimate.trips = std::min(estimate.trips, static_cast<double>(*loop.constant_limit));
  }
  estimate.trips = std::max(0.0, estimate.trips);
  estimate.exact = loop.counted;
  return estimate;
}

double loop_price(const CostTable& table, std::size_t kernels_in_body, TripEstimate trips,
                  std::uint32_t unrolled) {
  const double copies = unrolled;
  // An estimate may be off by a few, but not below the one entry that any trip takes.
  const double at_least = std::min(trips.trips, 1.0);
  const double entries = trips.exact
                             ? std::ceil(trips.trips / copies)
                             : std::max(at_least, (trips.trips + (copies - 1) / 2) / copies);
  const double guarded_off = copies * entries - trips.trips;
  return entries * table.while_trip +
         guarded_off * static_cast<double>(kernels_in_body) * table.guarded_off_kernel;
}

std::uint32_t unroll_factor(const CostTable& table, std::size_t kernels_in_body,
                            TripEstimate trips) {
  std::uint32_t best = 1;
  for (std::uint32_t unrolled = 2; unrolled <= max_unroll_factor; unrolled *= 2) {
    if (unrolled * kernels_in_body > max_unrolled_kernels) break;
    if (loop_price(table, kernels_in_body, trips, unrolled) <
        loop_price(table, kernels_in_body, trips, best)) {
      best = unrolled;
    }
  }
  return best;
}

BranchPrice branch_price(const CostTable& table, std::span<const std::size_t> arm_kernels) {
  double kernels = 0;
  for (const std::size_t arm : arm_kernels) kernels += static_cast<double>(arm);
  // Each arm is guarded off whenever another is taken.
  const double off = arm_kernels.empty() ? 0 : 1 - 1 / static_cast<double>(arm_kernels.size());
  return {.predicated = kernels * off * table.guarded_off_kernel,
          .node = node_price(table, arm_kernels)};
}

bool prefers_predication(const CostTable& table, std::span<const std::size_t> arm_kernels) {
  return branch_price(table, arm_kernels).prefers_predication();
}

}  // namespace gyre::plan
