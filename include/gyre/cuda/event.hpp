/// Events: marks on streams that others wait for, or that measure time.
#pragma once

#include "gyre/cuda/stream.hpp"

namespace gyre::cuda {

/// Owns an event of the current context.
class Event {
 public:
  /// `Order` is for waiting only and cheaper; `Timing` can be measured between.
  enum class Purpose { Order, Timing };

  explicit Event(Purpose purpose = Purpose::Order);
  ~Event();
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;

  CUevent get() const { return event_; }
  void record(StreamView stream) const;
  /// Waits for what was recorded last.
  void synchronize() const;
  /// The same where something is given up: a failure is logged.
  void drain() const noexcept;
  /// Whether what was recorded last is over; true where nothing was.
  bool is_done() const;

 private:
  void release() noexcept;

  CUevent event_ = nullptr;
};

/// Milliseconds from `start` to `end`, both recorded `Timing` events that are over.
double elapsed_ms(const Event& start, const Event& end);

}  // namespace gyre::cuda
