/// The facts of the machine that figures belong to.
#pragma once

#include <nlohmann/json.hpp>

namespace gyre::bench {

/// Processor, cores, load before the bench, compiler and build; with a GPU also its name, its
/// driver and the version of CUDA.
nlohmann::json machine_facts();

}  // namespace gyre::bench
