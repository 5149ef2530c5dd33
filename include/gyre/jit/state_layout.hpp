/// Where everything lies in the device state of a plan: the heads (kernels/state.cuh) of the arms
/// of its forks and of the launch, the cells of the slots, the loops, the counts, and the partials
/// of folds.
///
/// Host and emitted kernels agree on byte offsets, which depend on the plan alone, not on sizes. A
/// kernel is given the address of its own head, that of the arm or the launch that it belongs to,
/// and its offsets are counted from there.
#pragma once

#include "gyre/plan/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gyre::jit {

/// How many launches of one executable may wait in a queue; kernels/state.cuh has the same.
inline constexpr std::uint32_t queue_places = 8;

/// The head of the state, as kernels/state.cuh has it.
struct Control {
  std::uint32_t status = 0;
  std::uint32_t ended_blocks = 0;
  std::uint32_t region = 0;
  std::uint32_t label = 0;
  std::int64_t code = 0;
  std::uint32_t fault = 0;
  std::uint32_t fault_kernel = 0;
  std::uint32_t fault_statement = 0;
  std::uint32_t fault_access = 0;
  std::int64_t fault_point = 0;
  std::int64_t fault_index[4] = {};
  std::uint32_t fault_lock = 0;
  std::uint32_t fault_buffer = 0;
  std::uint32_t barrier = 0;
  std::uint32_t unused = 0;
  std::uint64_t max_trips = 0;
  std::uint32_t cancel[queue_places] = {};
  std::uint64_t launch = 0;
};

/// The log of trips, as kernels/trace.cuh has it.
struct TraceHead {
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  std::uint64_t trips = 0;
  std::uint64_t unused = 0;
};
struct TracedTrip {
  std::uint64_t at = 0;
  std::uint64_t trip = 0;
  std::uint64_t region = 0;
};
inline constexpr std::uint64_t trace_capacity = std::uint64_t{1} << 20;

/// Texts that device code names by number.
class Names {
 public:
  std::uint32_t number(const std::string& text);
  const std::string& operator[](std::uint32_t number) const { return texts_.at(number); }

 private:
  std::vector<std::string> texts_;
  std::map<std::string, std::uint32_t> numbers_;
};

class StateLayout {
 public:
  /// `traced`: with a log of trips behind everything else.
  explicit StateLayout(const plan::Plan& plan, bool traced = false);

  /// The same, with offsets counted from the head of that arm; 0: the launch itself, as at first.
  StateLayout seen_from(std::uint32_t arm) const;
  /// How many arms the forks have; they are numbered from 1 on, in the plan's order of forks.
  std::uint32_t arms() const { return arms_; }
  /// Where in memory the head of an arm is, and how far behind the head that offsets are counted
  /// from.
  std::uint32_t head(std::uint32_t arm) const { return head_bytes * (arm == 0 ? arms_ : arm - 1); }
  std::int64_t distance(std::uint32_t arm) const { return std::int64_t{head(arm)} - from_; }

  std::uint32_t cell(const plan::Cell& cell) const;
  /// The loop of the while node that is number `loop` in the plan's order of nodes.
  std::uint32_t loop(std::uint32_t loop) const { return loops_ - from_ + loop_bytes * loop; }
  /// The count of a region's first arm, or of its trips; 0 where it is not counted.
  std::uint32_t counter(const std::string& path) const;
  std::uint32_t partials(std::uint32_t reduction) const;
  /// The two words that tell copies of a trip whether they run.
  std::uint32_t copy_guard(std::uint32_t loop, std::uint32_t copy) const {
    return this->loop(loop) + 16 + 4 * (copy % 2);
  }
  /// The guard of what is due behind an odd number of trips.
  std::uint32_t odd_guard(std::uint32_t loop) const { return this->loop(loop) + 24; }
  /// The guard of a branch's arm, by the branch's number in the plan's order of nodes.
  std::uint32_t arm_guard(std::uint32_t branch, std::uint32_t arm) const {
    return guards_ - from_ + 4 * (first_arms_.at(branch) + arm);
  }

  /// Where the log of trips stands; 0: there is none.
  std::uint32_t trace() const { return trace_ == 0 ? 0 : trace_ - from_; }
  std::uint32_t first_counter() const { return counters_ - from_; }
  std::uint32_t counter_count() const { return counter_count_; }
  std::size_t bytes() const { return bytes_; }

 private:
  /// Of `Loop` in kernels/state.cuh.
  static constexpr std::uint32_t loop_bytes = 32;
  static constexpr std::uint32_t head_bytes = 256;
  static_assert(sizeof(Control) <= head_bytes);

  std::uint32_t arms_ = 0;
  std::uint32_t from_ = 0;
  std::uint32_t cells_ = 0;
  std::uint32_t loops_ = 0;
  std::uint32_t counters_ = 0;
  std::uint32_t counter_count_ = 0;
  std::uint32_t guards_ = 0;
  std::uint32_t partials_ = 0;
  std::uint32_t trace_ = 0;
  std::size_t bytes_ = 0;
  /// Which cells each symbol has; none but scalars and lets do.
  std::vector<std::uint32_t> slots_;
  std::map<std::string, std::uint32_t> counter_of_;
  /// How many arms the branches before each loop and branch have.
  std::vector<std::uint32_t> first_arms_;
};

}  // namespace gyre::jit
