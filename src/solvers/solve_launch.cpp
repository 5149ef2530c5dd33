#include "gyre/solvers/solve_launch.hpp"

#include "gyre/base/error.hpp"
#include "solve_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gyre::solvers {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds between_looks(10);
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Reason reason_of(const Result& result) {
  if (result.status() == ir::Status::Cancelled) return Reason::Cancelled;
  GYRE_CHECK(result.completed(), "a solver's program ended as " + result.describe());
  return static_cast<Reason>(result.get<std::int32_t>("reason"));
}

}  // namespace

SolveResult read_result(const Result& run, const ResidualRing& ring) {
  SolveResult result;
  result.reason = reason_of(run);
  result.iterations = run.get<std::int64_t>("trips");
  result.restarts = run.get<std::int64_t>("restarts");
  result.residual = run.get<double>("residual");
  result.relative_residual = run.get<double>("relative");
  result.start_residual = run.get<double>("start_residual");
  result.recurrence_residual = run.get<double>("recurrence");
  if (result.reason == Reason::NoDiagonal || result.reason == Reason::BadPivot) {
    result.row = run.get<std::int64_t>("unusable_row");
  }
  if (result.reason == Reason::Cancelled) {
    // The program did not get to compute it.
    result.residual = result.relative_residual = nan;
  }
  result.host_syncs = run.host_syncs();
  if (ring.kept() == 0) return result;
  result.first_kept = std::max<std::int64_t>(0, result.iterations + 1 - ring.kept());
  for (const auto& entry : ring.read(result.first_kept, result.iterations)) {
    result.history.push_back(entry.residual);
  }
  return result;
}

const SolveResult& SolveLaunch::State::result(const Monitor& monitor) {
  if (result_) return *result_;
  wait(monitor);
  result_ = read_result(launch_->result(), ring_);
  if (is_out_of_time_ && result_->reason == Reason::Cancelled) {
    result_->reason = Reason::MaxSeconds;
  }
  if (!monitor) return *result_;
  for (const auto& entry : ring_.read(next_, result_->iterations)) {
    monitor(entry.trip, entry.residual);
  }
  return *result_;
}

void SolveLaunch::State::wait(const Monitor& monitor) {
  while (monitor || std::isfinite(max_seconds_)) {
    const double left = max_seconds_ - std::chrono::duration<double>(Clock::now() - start_).count();
    if (left <= 0 && !is_out_of_time_) {
      is_out_of_time_ = true;
      launch_->cancel();
    }
    const auto pause = std::clamp(1e3 * left, 1.0, static_cast<double>(between_looks.count()));
    if (launch_->wait_for(milliseconds(std::lround(pause)))) return;
    if (monitor && !tell(monitor)) launch_->cancel();
  }
}

// Whether the solve is to go on.
bool SolveLaunch::State::tell(const Monitor& monitor) {
  const auto trips = static_cast<std::int64_t>(launch_->progress());
  if (ring_.kept() == 0) return monitor(trips, nan);
  // Before the first trip the ring may not be cleared yet of what the solve before has left.
  if (trips == 0) return true;
  const auto look = ring_.look(next_);
  for (const auto& [trip, residual] : look.entries) {
    next_ = trip + 1;
    if (!monitor(trip, residual)) return false;
  }
  if (look.newest - next_ < ring_.kept()) return true;
  // Trips go by faster than they can be read.
  next_ = look.newest + 1;
  return monitor(look.newest, nan);
}

const SolveResult& SolveLaunch::result(const Monitor& monitor) {
  return state_->result(monitor);
}

bool SolveLaunch::ready() const {
  return state_->ready();
}

void SolveLaunch::cancel() {
  state_->cancel();
}

}  // namespace gyre::solvers
