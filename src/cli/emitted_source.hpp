/// The CUDA C++ of a plan, for builds that have an emitter.
#pragma once

#include "gyre/plan/plan.hpp"

#include <string>

namespace gyre::cli {

/// What `device_graph` hands to NVRTC; with `checked` that of checked mode. Neither a GPU nor NVRTC
/// is asked. Throws EnvironmentError in a build without CUDA.
std::string emitted_source(const plan::Plan& plan, bool checked);

}  // namespace gyre::cli
