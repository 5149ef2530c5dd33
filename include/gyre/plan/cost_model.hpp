/// Choices between lowerings by what they are expected to cost: prices as values, so that whoever
/// chooses can say why.
///
/// Prices count what control flow adds, in microseconds, and leave out the kernels that run either
/// way. Leaves out where the numbers come from (find_cost_table.hpp), what a whole trip takes
/// (trip_price.hpp), and what a lowering looks like.
#pragma once

#include "gyre/plan/cost_table.hpp"
#include "gyre/plan/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gyre::plan {

/// How many trips a loop makes each time it is entered, as far as is known before it runs.
struct TripEstimate {
  enum class Kind {
    /// Nothing is known, but that there are no more than `trips`.
    AtMost,
    /// From half to twice as many.
    About,
    Exactly
  };

  /// Past so many another trip makes no difference to the choice.
  static constexpr double many = 4096;

  double trips = many;
  Kind kind = Kind::AtMost;

  /// Numbers of trips that stand for all that there may be, each as likely as the next.
  std::vector<std::int64_t> samples() const;
};

/// What the plan knows of a loop's trips.
TripEstimate estimate_trips(const WhileNode& loop);

/// How trips are laid out: copies of one in line ahead of the WHILE node, and copies in its body.
struct LoopForm {
  std::uint32_t ahead = 0;
  std::uint32_t copies = 1;

  friend bool operator==(const LoopForm&, const LoopForm&) = default;
};

/// What the form adds to a loop of so many trips, beside a node that stands there either way:
///
///     entries · while_trip  +  (ahead + copies · entries − trips) · kernels · guarded_off_kernel
///
/// where entries are (trips − ahead) / copies, rounded up, and none where the trips ahead are
/// enough. The second term is the copies behind the last trip, whose kernels are guarded off.
double loop_price(const CostTable& table, std::size_t kernels_of_trip, std::int64_t trips,
                  LoopForm form);

/// By how much the form makes such a loop longer, as a part of what its launch would take without
/// deciding anything: on average over the estimate's samples.
double loop_loss(const CostTable& table, std::size_t kernels_of_trip, const TripEstimate& trips,
                 LoopForm form);

/// No body holds more copies of a trip, and no more stand ahead; nor are there more kernels because
/// of copies.
inline constexpr std::uint32_t max_unroll_factor = 32;
inline constexpr std::uint32_t max_ahead = 16;
inline constexpr std::size_t max_unrolled_kernels = 512;

/// What is settled before the costs are asked.
struct FixedForm {
  std::optional<std::uint32_t> ahead = {};
  std::optional<std::uint32_t> copies = {};
  /// Buffers take turns from trip to trip: odd numbers of copies would keep them from it.
  bool evenly = false;
};

/// The form with the least loop_loss, of powers of two up to the limits above.
LoopForm choose_loop_form(const CostTable& table, std::size_t kernels_of_trip,
                          const TripEstimate& trips, const FixedForm& fixed = {});

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

/// "5.4 us".
std::string price_text(double microseconds);

}  // namespace gyre::plan
