/// Streams: the owner of one, and a view of anybody's. A `CUstream` and a `cudaStream_t` are the
/// same thing.
#pragma once

#include "gyre/cuda/driver.hpp"

namespace gyre::cuda {

/// A stream that somebody else keeps alive; null is the legacy default stream.
class StreamView {
 public:
  StreamView() = default;
  StreamView(CUstream stream) : stream_(stream) {}  // NOLINT: a view converts from its handle

  CUstream get() const { return stream_; }
  /// Waits for everything that was put on the stream.
  void synchronize() const;
  /// The same where something has failed already: whatever comes of it.
  void drain() const noexcept;
  /// Whether everything that was put on the stream is over.
  bool is_done() const;
  /// Later work on this stream waits for what `event` has recorded.
  void wait(CUevent event) const;

 private:
  CUstream stream_ = nullptr;
};

/// Owns a stream of the current context.
class Stream {
 public:
  enum class Priority { Normal, High };
  /// Whether it and the legacy default stream wait for each other. While one that is `Ordered` is
  /// captured, use of the legacy stream is an error.
  enum class Legacy { Independent, Ordered };

  explicit Stream(Priority priority = Priority::Normal, Legacy legacy = Legacy::Independent);
  ~Stream();
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;

  CUstream get() const { return stream_; }
  StreamView view() const { return stream_; }
  operator StreamView() const { return stream_; }  // NOLINT: an owner lends itself
  void synchronize() const { view().synchronize(); }

 private:
  void release() noexcept;

  CUstream stream_ = nullptr;
};

}  // namespace gyre::cuda
