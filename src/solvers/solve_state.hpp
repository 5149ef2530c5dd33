/// What the copies of a SolveLaunch share.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/solve_launch.hpp"
#include "host_setup.hpp"
#include "residual_ring.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace gyre::solvers {

class SolveLaunch::State {
 public:
  /// A solve that was just launched, with what its program is bound to beside the caller's memory.
  State(std::shared_ptr<const HostSetup> setup, std::shared_ptr<Executable> executable,
        Launch launch, std::int64_t kept, double max_seconds)
      : setup_(std::move(setup)),
        executable_(executable),
        launch_(std::move(launch)),
        ring_(std::move(executable), kept),
        max_seconds_(max_seconds) {}
  /// One that has ended.
  explicit State(SolveResult result) : ring_(nullptr, 0), result_(std::move(result)) {}

  const SolveResult& result(const Monitor& monitor);
  bool ready() const { return result_ || launch_->ready(); }
  void cancel() {
    if (launch_) launch_->cancel();
  }

 private:
  void wait(const Monitor& monitor);
  bool tell(const Monitor& monitor);

  /// Both outlive the launch.
  std::shared_ptr<const HostSetup> setup_;
  std::shared_ptr<Executable> executable_;
  std::optional<Launch> launch_;
  ResidualRing ring_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double max_seconds_ = 0;
  bool is_out_of_time_ = false;
  /// The first trip that no monitor has been told of.
  std::int64_t next_ = 0;
  std::optional<SolveResult> result_;
};

/// What a run of a method's program tells, with what `ring` has kept of it.
SolveResult read_result(const Result& run, const ResidualRing& ring);

}  // namespace gyre::solvers
