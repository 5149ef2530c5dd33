/// A line on the terminal that tells how far a long run is.
///
/// Where standard error is no terminal it says nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace gyre::cli {

/// Rewrites one line of standard error while a run takes its time, and wipes it at the end.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// To be called with the trips so far, as solvers::Watch; empty where there is no terminal.
  std::function<bool(std::uint64_t trips)> watch();

 private:
  bool show(std::uint64_t trips);

  bool on_terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace gyre::cli
