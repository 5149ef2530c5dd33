/// What `gyre doctor` knows of GPUs. In a build without CUDA there is one fact: that it is one.
#pragma once

#include <string>
#include <vector>

namespace gyre::cli {

/// One thing that was looked for.
struct MachineFact {
  /// `driver`, `gpu`, `nvrtc`, `kernel_cache`.
  std::string name;
  bool found = false;
  /// What was found, or in a sentence why nothing was.
  std::string text;
};

/// Driver, devices, NVRTC and where kernels are kept. Throws nothing: a failure is a fact.
std::vector<MachineFact> read_gpu_facts();

}  // namespace gyre::cli
