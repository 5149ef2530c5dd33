/// Freeing what belongs to a context from whichever thread destroys the owner.
#pragma once

#include "gyre/cuda/check.hpp"

namespace gyre::cuda {

/// Runs `free` with `context` current: the thread may have no context, or another. A failure
/// becomes a line of the log.
template <class Free>
void free_in(CUcontext context, const char* call, Free free) noexcept {
  const CUresult pushed = driver()->cuCtxPushCurrent(context);
  if (pushed != CUDA_SUCCESS) {
    report_failed_release(pushed, call);
    return;
  }
  report_failed_release(free(), call);
  CUcontext popped = nullptr;
  driver()->cuCtxPopCurrent(&popped);
}

}  // namespace gyre::cuda
