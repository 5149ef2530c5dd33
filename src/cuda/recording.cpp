#include "gyre/cuda/recording.hpp"

#include "driver_log.hpp"
#include "gyre/cuda/capture.hpp"
#include "gyre/cuda/capture_failure.hpp"
#include "gyre/cuda/check.hpp"

#include <optional>

namespace gyre::cuda {
namespace {

/// How often a broken capture is begun: a thread that waits for the whole device breaks those of
/// all threads, and is not likely to do so again and again.
constexpr int most_attempts = 5;

struct Attempt {
  Recording recording;
  CaptureEnding ending;
};

// Runs the work; what it throws is kept.
void run(const std::function<void()>& work, Attempt& attempt) {
  // Only while it is handled is an exception the current one.
  std::exception_ptr& thrown = attempt.recording.thrown;
  try {
    work();
  } catch (const CudaError& error) {
    thrown = std::current_exception();
    attempt.ending.thrown_code = error.result();
    attempt.ending.thrown = error.what();
  } catch (const std::exception& error) {
    thrown = std::current_exception();
    attempt.ending.thrown = error.what();
  } catch (...) {
    thrown = std::current_exception();
    attempt.ending.thrown = "something that is no std::exception";
  }
}

Attempt record_once(const std::string& name, StreamView stream, const std::function<void()>& work) {
  Attempt attempt{{Graph(name), {}, nullptr}, {}};
  // Errors of the work's own calls are told as the work's, not as gyre's.
  std::optional<During> during("recording " + name);
  Capture capture(stream, attempt.recording.graph.view(), {});
  during.reset();
  forget_driver_log();
  run(work, attempt);
  attempt.ending.driver_log = take_driver_log();
  during.emplace("recording " + name);
  try {
    capture.end();
  } catch (const CudaError& error) {
    // The driver has destroyed the graph of a capture that is broken.
    attempt.recording.graph.abandon();
    // A stream that is not captured any more: the work has ended it.
    attempt.ending.code = error.result() == CUDA_ERROR_ILLEGAL_STATE
                              ? CUDA_ERROR_STREAM_CAPTURE_UNMATCHED
                              : error.result();
    // A kernel of before, a lost device: nothing that the work could be told of.
    if (find_capture_fault(attempt.ending.code) == nullptr) throw;
  }
  attempt.recording.failure = why_not_recorded(attempt.ending);
  return attempt;
}

}  // namespace

Recording record_work(const std::string& name, StreamView stream,
                      const std::function<void()>& work) {
  for (int attempts = 1;; ++attempts) {
    Attempt attempt = record_once(name, stream, work);
    const bool was_broken = attempt.ending.code == CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!was_broken || attempts == most_attempts) return std::move(attempt.recording);
  }
}

}  // namespace gyre::cuda
