/// The executors that benches measure: whatever gyre offers on this machine.
#pragma once

#include <string>
#include <vector>

namespace gyre::bench {

/// Every executor that this machine has.
std::vector<std::string> gyre_executors();
/// Those that run on a GPU.
std::vector<std::string> gyre_gpu_executors();
/// `auto` and these.
std::vector<std::string> auto_and(std::vector<std::string> executors);

}  // namespace gyre::bench
