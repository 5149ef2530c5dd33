/// Choices between lowerings by what they are expected to cost: prices as values, so that whoever
/// chooses can say why.
///
/// Prices count what control flow adds, in microseconds, and leave out the kernels that run either
/// way. Leaves out where the numbers come from (find_cost_table.hpp) and what a lowering looks
/// like.
#pragma once

#include "gyre/plan/cost_table.hpp"
#include "gyre/plan/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gyre::plan {

/// How many trips a loop makes each time it is entered, as far as is known before it runs.
struct TripEstimate {
  /// Of a loop that says nothing: enough for unrolling to pay, few enough to spoil no short loop.
  static constexpr double unknown = 32;

  double trips = unknown;
  /// It is the number, and not merely near it.
  bool exact = false;
};

/// What the plan knows of a loop's trips.
TripEstimate estimate_trips(const WhileNode& loop);

/// What a WHILE node adds to its loop when its body holds `unrolled` copies of a trip:
///
///     entries · while_trip  +  (unrolled · entries − trips) · kernels_in_body · guarded_off_kernel
///
/// The second term is the copies behind the last trip, whose kernels are guarded off. Entries are
/// trips / unrolled, rounded up; where trips are an estimate, rounding adds (unrolled − 1) / 2
/// copies on average, and entries are 1 at least.
double loop_price(const CostTable& table, std::size_t kernels_in_body, TripEstimate trips,
                  std::uint32_t unrolled);

/// No body holds more copies of a trip, nor more kernels, unless one trip has them.
inline constexpr std::uint32_t max_unroll_factor = 32;
inline constexpr std::size_t max_unrolled_kernels = 512;

/// The power of two, up to the limits above, with the least loop_price; the smaller of equals.
std::uint32_t unroll_factor(const CostTable& table, std::size_t kernels_in_body,
                            TripEstimate trips);

/// What a branch adds in each of its forms.
struct BranchPrice {
  /// Every arm's kernels stand in line, and those of the arms not taken are guarded off.
  double predicated = 0;
  /// A conditional node.
  double node = 0;

  bool prefers_predication() const { return predicated <= node; }
};

/// The prices of a branch whose arms hold `arm_kernels` kernels. Every arm counts, those that hold
/// none as well: an `if` has two, a `switch` its cases and the default. Arms are taken equally
/// often. A switch of other sizes is priced between those of the table by the logarithm of its
/// arms.
BranchPrice branch_price(const CostTable& table, std::span<const std::size_t> arm_kernels);

/// Whether guards cost no more than a node.
bool prefers_predication(const CostTable& table, std::span<const std::size_t> arm_kernels);

}  // namespace gyre::plan
