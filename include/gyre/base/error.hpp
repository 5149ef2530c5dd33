/// Exceptions, by whose fault it is: the caller's, the machine's, or gyre's own.
///
/// A faulty *program* is not an exception but a list of diagnostics; `ProgramError` carries such a
/// list where an API must throw. Outcomes of a run (not converged, trip limit, a bounds fault) are
/// values.
#pragma once

#include "gyre/base/diagnostic.hpp"

#include <stdexcept>
#include <string>

namespace gyre {

/// The root of everything that gyre throws.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A caller's mistake: a buffer that is too small, an unknown option, a malformed input file. The
/// message names the thing and says what would be right.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A program with errors met an API that needs a correct one.
class ProgramError : public Error {
 public:
  explicit ProgramError(Diagnostics diagnostics)
      : Error(render(diagnostics)), diagnostics_(std::move(diagnostics)) {}

  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

/// The machine failed: CUDA, NVRTC, a file that cannot be written. The message holds the call,
/// where it stood, the system's own name and text for the failure, and a hint.
class EnvironmentError : public Error {
 public:
  using Error::Error;
};

/// gyre broke a promise to itself. Checked in release builds too.
class InternalError : public Error {
 public:
  using Error::Error;
};

namespace detail {
[[noreturn]] void internal_check_failed(const char* condition, const char* file, int line,
                                        const std::string& what);
}  // namespace detail

}  // namespace gyre

/// Ends in InternalError unless `condition` holds; `what` says which promise was broken.
#define GYRE_CHECK(condition, what)                                                  \
  do {                                                                               \
    if (!(condition)) {                                                              \
      ::gyre::detail::internal_check_failed(#condition, __FILE__, __LINE__, (what)); \
    }                                                                                \
  } while (false)
