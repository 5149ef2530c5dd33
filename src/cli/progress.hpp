/// A line on the terminal that tells how far a long run is.
///
/// Where standard error is no terminal it says nothing.
#pragma once

#include <chrono>
#include <cstdint>

namespace gyre::cli {

/// Rewrites one line of standard error while a run takes its time, and wipes it at the end.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// To be called now and then with the trips so far.
  void show(std::uint64_t trips);

 private:
  bool on_terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace gyre::cli
