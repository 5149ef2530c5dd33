/// Launches of checked executables under way, anywhere in the process, and the memory that they
/// use: two of them may not use the same memory at once unless both only read it.
///
/// Leaves out launches of one executable, and of one arena, which run one after the other.
#pragma once

#include "gyre/ir/bind.hpp"
#include "launch_state.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace gyre {

/// Bytes that a launch uses, `first` and `last` included.
struct MemoryUse {
  std::uintptr_t first;
  std::uintptr_t last;
  bool is_written;
  std::string buffer;
};

/// A launch of a checked executable that is about to start. Until it goes no other one starts.
class CheckedLaunch {
 public:
  /// What the launches of one executable or of one arena have in common.
  using Order = const void*;

  /// UsageError, naming both programs and buffers, where a launch under way would meet this one. On
  /// a device that is only known once the stream has come to where the launch would stand: it waits
  /// for that, or for the end of the other.
  CheckedLaunch(const std::string& program, std::span<const ir::Symbol> symbols,
                const ir::Bound& bound, Order order, void* stream);

  /// It is under way.
  void started(std::shared_ptr<LaunchState> state);

  /// Forgets launches that are over, and what they hold.
  static void forget_ended();

 private:
  std::unique_lock<std::mutex> lock_;
  std::string program_;
  std::vector<MemoryUse> uses_;
  Order order_;
};

}  // namespace gyre
