/// How the host waits for the device: by watching a word that a kernel writes, without asking the
/// device for anything.
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/base/patience.hpp"
#include "gyre/cuda/stream.hpp"

#include <atomic>
#include <functional>
#include <utility>

namespace gyre::executors {

/// What the host keeps an eye on while it attends a launch: whether somebody wants to end it.
class Attention {
 public:
  Attention(const std::atomic<bool>* cancel, std::function<void()> on_cancel)
      : cancel_(cancel), on_cancel_(std::move(on_cancel)) {}

  /// Passes on that the launch is to be cancelled, once.
  void look() const {
    if (told_ || cancel_ == nullptr || !cancel_->load(std::memory_order_relaxed)) return;
    told_ = true;
    on_cancel_();
  }

  /// Waits until `is_there`, which what was put on `stream` brings about. EnvironmentError where
  /// the device failed.
  template <class Condition>
  void wait(cuda::StreamView stream, const Condition& is_there) const {
    for (Patience patience; !is_there(); patience.pause()) {
      look();
      // A failed kernel never writes its word.
      if (!patience.is_long() || !stream.is_done() || is_there()) continue;
      stream.synchronize();
      GYRE_CHECK(is_there(), "a launch ended without its word");
    }
  }

 private:
  const std::atomic<bool>* cancel_;
  std::function<void()> on_cancel_;
  mutable bool told_ = false;
};

}  // namespace gyre::executors
