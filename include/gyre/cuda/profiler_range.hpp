/// Ranges that profilers show on the host's time line (NVTX): compiling, instantiating, launching.
///
/// Costs a few nanoseconds where no profiler listens, and nothing where the toolkit of the build
/// has no NVTX.
#pragma once

namespace gyre::cuda {

/// A range of the domain "gyre" from construction to destruction, on this thread.
class ProfilerRange {
 public:
  /// `name` is copied by the profiler.
  explicit ProfilerRange(const char* name) noexcept;
  ~ProfilerRange();
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace gyre::cuda
