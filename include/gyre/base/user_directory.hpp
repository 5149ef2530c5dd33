/// Where gyre keeps what it makes for this user and may make again: compiled kernels, measured
/// costs.
#pragma once

#include <filesystem>

namespace gyre {

/// GYRE_CACHE_DIR, else $XDG_CACHE_HOME/gyre, else ~/.cache/gyre; empty where the environment names
/// none of them. It need not exist.
std::filesystem::path user_directory();

}  // namespace gyre
