#include "gyre/cuda/capture_failure.hpp"

#include <algorithm>

namespace gyre::cuda {
namespace {

constexpr CaptureFault faults[] = {
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing",
     "waits for the GPU or allocates memory while it is recorded (cudaStreamSynchronize, "
     "cudaMalloc, or a library that does)",
     "leave the waiting out and take memory from the context's temporary, or place the call on the "
     "host"},
    {CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture",
     "does what cannot be recorded: it waits for the GPU, allocates with cudaMalloc, uses the "
     "legacy "
     "default stream, or waits for an event of outside",
     "put all of its work on the context's stream, or place the call on the host"},
    {CUDA_ERROR_STREAM_CAPTURE_MERGE, "CUDA_ERROR_STREAM_CAPTURE_MERGE",
     "cudaErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences",
     "ties its stream to another stream that is captured by somebody else",
     "fork the streams that it uses from the context's stream"},
    {CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
     "cudaErrorStreamCaptureUnmatched", "capture was not ended in the same stream as it began",
     "begins or ends a capture of its stream by itself",
     "leave the recording of the context's stream to gyre"},
    {CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
     "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work",
     "forks work to another stream that is not joined back",
     "record an event there at the end and let the context's stream wait for it"},
    {CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "cudaErrorStreamCaptureIsolation", "dependency created on uncaptured work in another stream",
     "waits for an event of outside, which was not recorded with it",
     "name what it reads in the call's reads, and order its own work by streams that are forked "
     "from "
     "the context's stream and joined back"},
    {CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
     "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream",
     "uses the legacy default stream (a kernel launched without a stream, cudaMemcpy, a library "
     "whose stream is not set)",
     "put that work on the context's stream"},
    {CUDA_ERROR_CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT", "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream",
     "asks on the host for an event that it has recorded on its stream",
     "leave that out: nothing runs while the call is recorded"},
    {CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
     "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread",
     "ends the capture of its stream from another thread",
     "leave the recording of the context's stream to gyre"},
};

// The one that says most: what broke the capture, rather than that it was broken.
const CaptureFault* main_fault(const CaptureEnding& ending) {
  const CaptureFault* invalidated = nullptr;
  for (const CaptureFault* fault :
       {find_capture_fault(ending.thrown_code), find_capture_fault(ending.thrown.value_or("")),
        find_capture_fault(ending.driver_log), find_capture_fault(ending.code)}) {
    if (fault == nullptr) continue;
    if (fault->code != CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) return fault;
    invalidated = fault;
  }
  return invalidated;
}

}  // namespace

std::span<const CaptureFault> capture_faults() {
  return faults;
}

const CaptureFault* find_capture_fault(CUresult code) {
  const auto* found = std::find_if(std::begin(faults), std::end(faults),
                                   [&](const CaptureFault& fault) { return fault.code == code; });
  return found == std::end(faults) ? nullptr : found;
}

const CaptureFault* find_capture_fault(std::string_view text) {
  const CaptureFault* best = nullptr;
  for (const CaptureFault& fault : faults) {
    const auto names = {fault.driver_name, fault.runtime_name, fault.text};
    const bool named = std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return text.find(name) != std::string_view::npos;
    });
    if (!named) continue;
    if (fault.code != CUDA_ERROR_STREAM_CAPTURE_INVALIDATED) return &fault;
    best = &fault;
  }
  return best;
}

std::string why_not_recorded(const CaptureEnding& ending) {
  const CaptureFault* fault = main_fault(ending);
  if (fault == nullptr && !ending.thrown) return {};
  std::string why;
  if (fault != nullptr) {
    why = std::string(fault->does) + "; " + std::string(fault->instead);
    if (ending.thrown) why += " (it threw: " + *ending.thrown + ")";
  } else {
    why = "threw while it was recorded: " + *ending.thrown;
  }
  if (!ending.driver_log.empty()) why += " (CUDA says: " + ending.driver_log + ")";
  return why;
}

}  // namespace gyre::cuda
