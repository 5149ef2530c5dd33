#include "chip_room.hpp"

#include "gyre/plan/residence.hpp"
#include "resident_launch.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

namespace gyre::executors {
namespace {

/// A buffer of so many times the elements that a sweep has points is worked on in parts: what a
/// trip touches of it stays near one multiprocessor, where all of it would not.
constexpr std::size_t parts_of_memory = 8;

/// What a kernel has in shared memory beside buffers, as a bound: votes, and the shares of a fold.
constexpr std::size_t fold_bytes = 16 * (32 + jit::cluster_blocks);
constexpr std::size_t spare_bytes = 1024;

}  // namespace

// On the chip nobody else would see what it holds before the loop ends.
bool ChipRoom::is_peeked_at(ir::SymbolId buffer) const {
  return plan_[buffer].intent == ir::Intent::Out && bound_.buffer(buffer).edition != 0;
}

// A quarter of a thread's registers, of which it has 255 at most.
void ChipRoom::keep_in_registers(jit::ResidentShape& shape) const {
  const unsigned threads = shape.threads * std::max(1U, shape.blocks_at_once);
  std::size_t left = std::min(65536U / threads, 256U);
  for (const auto& [buffer, use] : plan::buffer_uses(plan_, loop_)) {
    const ir::ScalarType type = plan_[buffer].type;
    if (use.owners == nullptr || !jit::fits_registers(type) || is_peeked_at(buffer)) continue;
    const auto& ranges = use.owners->ranges;
    if (std::any_of(ranges.begin(), ranges.end(), ir::step_may_be_zero)) continue;
    const std::size_t bytes = ir::size_of(type) * shape.strands;
    if (bytes > left) continue;
    left -= bytes;
    shape.registers.insert(buffer);
  }
}

// What is stored to comes first, and of the rest the small ones.
void ChipRoom::keep_in_shared(jit::ResidentShape& shape, bool what_is_stored) const {
  std::vector<std::tuple<bool, std::size_t, ir::SymbolId>> wanted;
  for (const auto& [buffer, use] : plan::buffer_uses(plan_, loop_)) {
    if (shape.registers.contains(buffer) || is_peeked_at(buffer)) continue;
    if (use.stores && !what_is_stored) continue;
    wanted.emplace_back(!use.stores, shared_bytes_of(plan_, buffer, bound_), buffer);
  }
  std::sort(wanted.begin(), wanted.end());
  const std::size_t taken = spare_bytes + plan_.reductions.size() * fold_bytes;
  std::size_t left =
      device_.max_shared_per_block > taken ? device_.max_shared_per_block - taken : 0;
  for (const auto& [is_read_only, bytes, buffer] : wanted) {
    if (bytes > left) continue;
    left -= bytes;
    shape.shared.insert(buffer);
  }
}

bool ChipRoom::is_near_one_block(const jit::ResidentShape& shape, long long points) const {
  const plan::Symbols in_loops = plan::stored_in_loops_of_points(plan_, loop_);
  const auto uses = plan::buffer_uses(plan_, loop_);
  return std::all_of(uses.begin(), uses.end(), [&](const auto& entry) {
    const ir::SymbolId buffer = entry.first;
    if (!entry.second.stores || shape.shared.contains(buffer) || shape.registers.contains(buffer) ||
        is_peeked_at(buffer)) {
      return true;
    }
    const auto elements = static_cast<std::size_t>(bound_.buffer(buffer).element_count());
    return !in_loops.contains(buffer) &&
           elements >= parts_of_memory * static_cast<std::size_t>(points);
  });
}

}  // namespace gyre::executors
