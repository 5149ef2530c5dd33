#include "checked_launches.hpp"

#include "gyre/base/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace gyre {
namespace {

bool meet(const MemoryUse& one, const MemoryUse& other) {
  return (one.is_written || other.is_written) && one.first <= other.last && other.first <= one.last;
}

struct UnderWay {
  std::string program;
  std::vector<MemoryUse> uses;
  CheckedLaunch::Order order;
  std::shared_ptr<LaunchState> state;
};

struct Register {
  std::mutex mutex;
  std::vector<UnderWay> launches;

  void forget_ended() {
    std::erase_if(launches, [](const UnderWay& one) { return one.state->ready(); });
  }
};

Register& all() {
  // Never destroyed: static executables may outlive any other static.
  static auto* launches = new Register;
  return *launches;
}

std::vector<MemoryUse> uses_of(std::span<const ir::Symbol> symbols,
                               const std::vector<ir::BufferView>& buffers) {
  std::vector<MemoryUse> uses;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const ir::Symbol& symbol = symbols[i];
    if (symbol.kind != ir::SymbolKind::Buffer || symbol.intent == ir::Intent::Temp) continue;
    const auto bytes =
        static_cast<std::uintptr_t>(buffers[i].element_count()) * ir::size_of(symbol.type);
    if (bytes == 0) continue;
    const auto first = reinterpret_cast<std::uintptr_t>(buffers[i].data);
    uses.push_back({first, first + std::min(bytes - 1, UINTPTR_MAX - first),
                    symbol.intent != ir::Intent::In, symbol.name});
  }
  return uses;
}

std::string description(const MemoryUse& use, const std::string& program) {
  return "buffer '" + use.buffer + "' of program '" + program + "'";
}

std::optional<std::string> first_meeting(const std::string& program,
                                         const std::vector<MemoryUse>& uses,
                                         const UnderWay& other) {
  for (const MemoryUse& use : uses) {
    const auto met = std::find_if(other.uses.begin(), other.uses.end(),
                                  [&](const MemoryUse& one) { return meet(use, one); });
    if (met == other.uses.end()) continue;
    const bool writes = use.is_written;
    return description(use, program) + " would be " + (writes ? "written" : "read") +
           " while a launch that " + (met->is_written ? "writes" : "reads") + " the same memory, " +
           description(*met, other.program) +
           ", is under way; wait for its result, or let the stream wait for an event behind it";
  }
  return std::nullopt;
}

}  // namespace

CheckedLaunch::CheckedLaunch(const std::string& program, std::span<const ir::Symbol> symbols,
                             const ir::Bound& bound, Order order, void* stream)
    : lock_(all().mutex), program_(program), uses_(uses_of(symbols, bound.buffers)), order_(order) {
  all().forget_ended();
  for (const UnderWay& other : all().launches) {
    if (other.order == order) continue;
    const auto meeting = first_meeting(program, uses_, other);
    if (meeting && !other.state->is_over_before(stream)) throw UsageError(*meeting);
  }
}

void CheckedLaunch::started(std::shared_ptr<LaunchState> state) {
  all().launches.push_back({program_, uses_, order_, std::move(state)});
}

void CheckedLaunch::forget_ended() {
  const std::lock_guard lock(all().mutex);
  all().forget_ended();
}

}  // namespace gyre
