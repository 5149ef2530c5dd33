/// Recording what is put on a stream: into a graph of ours, and our nodes into a caller's capture.
///
/// Leaves out judging what was recorded (body_audit.hpp).
#pragma once

#include "gyre/cuda/graph.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gyre::cuda {

/// Turns what this thread puts on `stream`, and on streams forked from it, into nodes of `target`
/// until `end()`. Other threads are not disturbed.
class Capture {
 public:
  Capture(StreamView stream, const GraphView& target, std::span<const Dependency> after);
  /// Gives up where `end` was not called: the stream is usable again, the graph holds debris.
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// The last nodes recorded (`after` where nothing was): what follows depends on them. Throws
  /// EnvironmentError where something broke the capture; the stream is usable then as well.
  std::vector<Dependency> end();

 private:
  void leave() noexcept;

  StreamView stream_;
  CUstreamCaptureMode mode_;
  bool open_ = true;
};

/// A capture that somebody else began on a stream, as it stands.
struct LiveCapture {
  /// The same for all streams of one capture, different for every capture of the process.
  std::uint64_t id = 0;
  CUgraph graph = nullptr;
  /// What the stream's next node depends on.
  std::vector<Dependency> last;
};

/// The capture that `stream` is part of; empty where it is none. Throws EnvironmentError where the
/// capture was invalidated.
std::optional<LiveCapture> live_capture(StreamView stream);

/// The captured stream's next node depends on `after` alone: call it when nodes were added to the
/// graph of its live capture.
void continue_capture(StreamView stream, std::span<const Dependency> after);

/// While it lives, this thread may allocate, load and synchronise whatever streams are captured:
/// what it does concerns other streams. Somebody's capture would be invalidated otherwise.
class BesideCaptures {
 public:
  BesideCaptures();
  ~BesideCaptures();
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  CUstreamCaptureMode mode_;
};

/// Keeps `owned` alive as long as `graph`, or an executable made of it, is there.
/// It is released by a later call of this or of `release_dropped`, never by CUDA's own threads.
void keep_alive(CUgraph graph, std::shared_ptr<void> owned);
/// Releases what was kept for graphs that are gone.
void release_dropped();

}  // namespace gyre::cuda
