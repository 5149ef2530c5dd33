/// What the calls of one executable use on a device, beside their arguments.
#pragma once

#include "host_staging.hpp"
#include "scratch.hpp"

#include <vector>

namespace gyre::executors {

/// Costs nothing as long as no call needs it.
struct CallResources {
  /// By arm of a fork (0: of none): arms run at once.
  std::vector<Scratch> scratch;
  HostStaging staging = {};
};

}  // namespace gyre::executors
