#include "gyre/plan/cost_model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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
  if (loop.expect) {
    estimate.trips = static_cast<double>(*loop.expect);
    estimate.kind = loop.counted ? TripEstimate::Kind::Exactly : TripEstimate::Kind::About;
  }
  if (loop.constant_limit) {
    estimate.trips = std::min(estimate.trips, static_cast<double>(*loop.constant_limit));
  }
  estimate.trips = std::max(0.0, estimate.trips);
  return estimate;
}

std::vector<std::int64_t> TripEstimate::samples() const {
  if (kind == Kind::Exactly) return {std::llround(trips)};
  const bool about = kind == Kind::About;
  // Equal steps of the logarithm: two an octave, or four.
  const double first = about ? std::max(1.0, trips / 2) : 1;
  const double last = about ? trips * 2 : trips;
  const double step = about ? std::exp2(0.25) : std::exp2(0.5);
  std::vector<std::int64_t> found;
  for (double one = first; one <= last * 1.01; one *= step) {
    const std::int64_t rounded = std::llround(one);
    if (found.empty() || about || found.back() != rounded) found.push_back(rounded);
  }
  // A loop that may make no trip at all is seldom written for that.
  if (found.empty()) found.push_back(1);
  return found;
}

double loop_price(const CostTable& table, std::size_t kernels_of_trip, std::int64_t trips,
                  LoopForm form) {
  const std::int64_t behind = std::max<std::int64_t>(0, trips - form.ahead);
  const std::int64_t entries = (behind + form.copies - 1) / form.copies;
  const std::int64_t off = form.ahead + form.copies * entries - trips;
  return static_cast<double>(entries) * table.while_trip +
         static_cast<double>(off) * static_cast<double>(kernels_of_trip) * table.guarded_off_kernel;
}

double loop_loss(const CostTable& table, std::size_t kernels_of_trip, const TripEstimate& trips,
                 LoopForm form) {
  const double trip = static_cast<double>(kernels_of_trip) * table.graph_kernel;
  double loss = 0;
  const auto samples = trips.samples();
  for (const std::int64_t one : samples) {
    const double least = static_cast<double>(one) * trip + table.launch_and_wait;
    loss += loop_price(table, kernels_of_trip, one, form) / least;
  }
  return loss / static_cast<double>(samples.size());
}

LoopForm choose_loop_form(const CostTable& table, std::size_t kernels_of_trip,
                          const TripEstimate& trips, const FixedForm& fixed) {
  LoopForm best{fixed.ahead.value_or(0), fixed.copies.value_or(1)};
  double least = loop_loss(table, kernels_of_trip, trips, best);
  const auto consider = [&](LoopForm form) {
    if (fixed.ahead.value_or(form.ahead) != form.ahead) return;
    if (fixed.copies.value_or(form.copies) != form.copies) return;
    if (fixed.evenly && (form.ahead % 2 != 0 || form.copies % 2 != 0)) return;
    if ((form.ahead + form.copies) * kernels_of_trip > max_unrolled_kernels) return;
    const double loss = loop_loss(table, kernels_of_trip, trips, form);
    if (loss >= least) return;
    least = loss;
    best = form;
  };
  for (std::uint32_t copies = 1; copies <= max_unroll_factor; copies *= 2) {
    consider({0, copies});
    for (std::uint32_t ahead = 1; ahead <= max_ahead; ahead *= 2) consider({ahead, copies});
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

std::string price_text(double microseconds) {
  return fmt::format("{:.1f} us", microseconds);
}

}  // namespace gyre::plan
