/// What the calls of one executable use on a device, beside their arguments.
#pragma once

#include "host_staging.hpp"
#include "scratch.hpp"

namespace gyre::executors {

/// Costs nothing as long as no call needs it.
struct CallResources {
  Scratch scratch;
  HostStaging staging = {};
};

}  // namespace gyre::executors
