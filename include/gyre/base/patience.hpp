/// Waiting by looking: at first as often as can be, then between time slices, in a long wait after
/// some microseconds of sleep.
#pragma once

#include <chrono>
#include <thread>

namespace gyre {

class Patience {
 public:
  /// Between two looks.
  void pause() {
    ++pauses_;
    if (pauses_ < eager_pauses) return;
    if (std::chrono::steady_clock::now() - start_ < sleepless) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      // A sleep counts as 64 pauses.
      pauses_ = (pauses_ / 64 + 1) * 64;
    }
  }

  /// True now and then, so seldom that what is done then costs nothing.
  bool is_long() const { return pauses_ != 0 && pauses_ % eager_pauses == 0; }

 private:
  static constexpr unsigned eager_pauses = 4096;
  static constexpr std::chrono::milliseconds sleepless{5};

  unsigned pauses_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gyre
