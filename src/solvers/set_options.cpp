#include "set_options.hpp"

#include "gyre/base/error.hpp"

#include <string>

namespace gyre::solvers {

void verify_count(const char* name, std::int64_t value, std::int64_t most) {
  if (value >= 1 && value <= most) return;
  throw UsageError(std::string(name) + " must be from 1 to " + std::to_string(most));
}

void verify_options(const SolveOptions& options) {
  // Written so that a NaN is refused too.
  if (!(options.rtol >= 0)) throw UsageError("rtol must be a number from 0 on");
  if (!(options.atol >= 0)) throw UsageError("atol must be a number from 0 on");
  if (!(options.dtol >= 1)) throw UsageError("dtol must be a number from 1 on");
  if (!(options.relaxation > 0)) throw UsageError("relaxation must be a positive number");
  if (!(options.eigenvalue_min >= 0 && options.eigenvalue_max >= 0)) {
    throw UsageError("eigenvalue_min and eigenvalue_max must be numbers from 0 on");
  }
  if (options.eigenvalue_max > 0 && options.eigenvalue_min > options.eigenvalue_max) {
    throw UsageError("eigenvalue_min must not be above eigenvalue_max");
  }
  if (options.check_every < 1) throw UsageError("check_every must be at least 1");
  if (!(options.max_seconds > 0)) throw UsageError("max_seconds must be a positive number");
  if (options.max_trips < 0) throw UsageError("max_trips must not be negative");
}

void set_options(Executable& executable, const SolveOptions& options) {
  verify_options(options);
  executable.set("rtol", options.rtol);
  executable.set("rtol_of_start", options.rtol_of == RtolOf::Start);
  executable.set("atol", options.atol);
  executable.set("dtol", options.dtol);
  executable.set("max_trips", options.max_trips);
  executable.set("check_every", options.check_every);
  executable.set("relaxation", options.relaxation);
  executable.set("eigenvalue_min", options.eigenvalue_min);
  executable.set("eigenvalue_max", options.eigenvalue_max);
}

}  // namespace gyre::solvers
