/// What `gyre doctor` knows of GPUs. A build without CUDA looks for none, and says so.
#pragma once

#include "gyre/plan/find_cost_table.hpp"

#include <string>
#include <vector>

namespace gyre::cli {

/// One thing that was looked for.
struct MachineFact {
  /// `driver`, `gpu`, `nvrtc`, `kernel_cache`, `costs`.
  std::string name;
  bool found = false;
  /// What was found, or in a sentence why nothing was.
  std::string text;
};

/// Driver, devices, NVRTC, where kernels are kept and which table of costs is in use. Throws
/// nothing: a failure is a fact.
std::vector<MachineFact> read_gpu_facts();

/// The costs by which an executor of this machine's GPU chooses; the shipped ones without a GPU.
plan::FoundCosts find_costs();

}  // namespace gyre::cli
