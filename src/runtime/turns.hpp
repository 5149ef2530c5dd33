/// Whose turn it is in a shared arena.
#pragma once

#include "gyre/runtime/shared_arena.hpp"
#include "launch_state.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace gyre {

/// Held by whoever starts a launch in the arena.
struct SharedArena::Turns {
  std::mutex mutex;
  /// The launch that was started last; gone where it is over and nobody asks for it.
  std::weak_ptr<LaunchState> last;
  std::string program;
};

}  // namespace gyre
