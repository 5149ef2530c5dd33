/// How a call of the CUDA driver is made: one macro, and errors that say all there is to say.
///
/// Leaves out finding the driver (driver.hpp). Expected answers (`CUDA_ERROR_NOT_READY`, a refused
/// update) are read from the driver's table directly and are values.
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/cuda/driver.hpp"

#include <string>
#include <string_view>

namespace gyre::cuda {

/// The driver; throws EnvironmentError with the reason where there is none. Forgets what the
/// driver's log said before, so that a failure is explained by its own call only.
const Driver& loaded_driver();

/// A call of the driver that failed.
class CudaError : public EnvironmentError {
 public:
  CudaError(CUresult result, const std::string& message)
      : EnvironmentError(message), result_(result) {}

  CUresult result() const { return result_; }

 private:
  CUresult result_;
};

/// Throws CudaError where `result` is not success. `call` is the call as written.
void check(CUresult result, const char* call);

/// For destructors, which never throw: a failure becomes one line of the log.
void report_failed_release(CUresult result, const char* call) noexcept;

/// "CUDA_ERROR_INVALID_VALUE (1): invalid argument", and the driver's own log sentence from 12.9
/// on.
std::string describe(CUresult result);

/// What this thread is doing while the object lives ("instantiating the graph of cg"): errors
/// raised meanwhile name it. Nested ones name all, outermost first.
class During {
 public:
  explicit During(std::string what);
  ~During();
  During(const During&) = delete;
  During& operator=(const During&) = delete;
};

}  // namespace gyre::cuda

/// Makes one call of the driver, `GYRE_CUDA_CALL(cuStreamSynchronize(stream))`; a failure is a
/// CudaError.
#define GYRE_CUDA_CALL(...) \
  ::gyre::cuda::check(::gyre::cuda::loaded_driver().__VA_ARGS__, #__VA_ARGS__)
