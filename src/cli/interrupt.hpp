/// Ctrl-C while a run is under way: a wish that the run's own loop sees, instead of a death.
#pragma once

#include <csignal>

namespace gyre::cli {

/// While one lives, the first SIGINT or SIGTERM is only noted; the second ends the process as ever.
/// One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Whether a signal came.
  bool requested() const;

 private:
  struct sigaction old_interrupt_ = {};
  struct sigaction old_terminate_ = {};
};

}  // namespace gyre::cli
