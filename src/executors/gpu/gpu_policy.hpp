/// What tells the GPU executors apart: who decides branches, and in which form the rest is
/// launched.
#pragma once

#include "gyre/executors/gpu.hpp"
#include "gyre/jit/emit_module.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace gyre::executors {

struct GpuPolicy {
  std::string_view name;
  jit::Decisions decisions = jit::Decisions::ConditionalNodes;
  HostBranchOptions::Flag flag = HostBranchOptions::Flag::Polled;
  /// Pieces of several kernels are graphs; otherwise they are launched one by one.
  bool graphs = true;
  /// Calls are recorded into graphs; otherwise each run makes them.
  bool records_calls = true;
  /// Who chooses the forms of branches and loops (plan/choices.hpp).
  std::optional<bool> predication = {};
  std::optional<std::uint32_t> copies = {};
  std::optional<std::uint32_t> ahead = {};
  /// Loops that have room on the chip are one kernel each.
  std::optional<PersistentOptions> persistent = {};
};

}  // namespace gyre::executors
