/// How the host waits for the device: by watching a word that a kernel writes, without asking the
/// device for anything.
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/base/patience.hpp"
#include "gyre/cuda/stream.hpp"
#include "gyre/ir/run_options.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

namespace gyre::executors {

/// What the host keeps an eye on while it attends a launch: whether somebody wants to end it, and
/// how far it is.
class Attention {
 public:
  /// `on_cancel` is called once; `tell_progress` every few milliseconds, where somebody asks.
  Attention(const ir::RunOptions& options, std::function<void()> on_cancel,
            std::function<void()> tell_progress)
      : cancel_(options.cancel),
        on_cancel_(std::move(on_cancel)),
        tell_progress_(options.progress != nullptr ? std::move(tell_progress) : nullptr) {}

  void look() const {
    if (tell_progress_ && Clock::now() - looked_ > between_looks) {
      tell_progress_();
      looked_ = Clock::now();
    }
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
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds between_looks{20};

  const std::atomic<bool>* cancel_;
  std::function<void()> on_cancel_;
  std::function<void()> tell_progress_;
  mutable bool told_ = false;
  mutable Clock::time_point looked_ = Clock::now();
};

}  // namespace gyre::executors
