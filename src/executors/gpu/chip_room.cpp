#include "chip_room.hpp"

#include "grid.hpp"
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/plan/residence.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace gyre::executors {
namespace {

/// A buffer of so many times the elements that a sweep has points is worked on in parts: what a
/// trip touches of it stays near one multiprocessor, where all of it would not.
constexpr std::size_t parts_of_memory = 8;

/// What a kernel has in shared memory beside buffers, as a bound: votes and where rows begin, and
/// the shares of a fold.
constexpr std::size_t spare_bytes = 1024;
std::size_t fold_bytes(const jit::ResidentShape& shape) {
  return 16 * (shape.threads / 32 * shape.strands + jit::cluster_blocks);
}

/// Shared memory that no launch asks for, but the kernel's text.
constexpr std::size_t most_declared = 48 << 10;

/// A block's rows may be longer than the mean by so much, all together.
constexpr double more_than_mean = 1.125;
constexpr unsigned least_row_elements = 64;

std::size_t shared_bytes_of(const plan::Plan& plan, ir::SymbolId buffer, const ir::Bound& bound) {
  const auto elements = static_cast<std::size_t>(bound.buffer(buffer).element_count());
  return (elements * ir::size_of(plan[buffer].type) + 15) / 16 * 16;
}

std::size_t bytes_of_rows(const plan::Plan& plan, const plan::KeptRows& rows, unsigned elements) {
  std::size_t bytes = 0;
  for (const ir::SymbolId buffer : rows.buffers) {
    bytes += (elements * ir::size_of(plan[buffer].type) + 15) / 16 * 16;
  }
  return bytes;
}

}  // namespace

// On the chip nobody else would see what it holds before the loop ends.
bool ChipRoom::is_peeked_at(ir::SymbolId buffer) const {
  return plan_[buffer].intent == ir::Intent::Out && bound_.buffer(buffer).edition != 0;
}

bool ChipRoom::may_be_kept(ir::SymbolId buffer, const plan::Sweep& owners) const {
  return jit::fits_registers(plan_[buffer].type) && !is_peeked_at(buffer) &&
         std::none_of(owners.ranges.begin(), owners.ranges.end(), ir::step_may_be_zero) &&
         has_elements_for(buffer, owners);
}

// A sweep may have more points than elements, if it touches these under a condition or never runs.
bool ChipRoom::has_elements_for(ir::SymbolId buffer, const plan::Sweep& owners) const {
  if (points_of(plan_, owners, bound_).value_or(0) == 0) return true;
  const auto at = [&](const ir::Expr& expr) { return evaluate(expr, bound_.values).as_integer(); };
  const auto& extents = bound_.buffer(buffer).extents;
  for (std::size_t i = 0; i < owners.ranges.size(); ++i) {
    const ir::Range& range = owners.ranges[i];
    const std::int64_t first = at(range.begin);
    const std::int64_t step = range.step ? at(range.step) : 1;
    const auto count = static_cast<std::int64_t>(ops::range_extent(first, at(range.end), step));
    const std::int64_t last = first + (count - 1) * step;
    if (std::min(first, last) < 0 || std::max(first, last) >= extents.at(i)) return false;
  }
  return true;
}

// A quarter of a thread's registers, of which it has 255 at most.
void ChipRoom::keep_in_registers(jit::ResidentShape& shape) const {
  std::size_t left = std::min(65536U / shape.threads, 256U);
  for (const auto& [buffer, use] : plan::buffer_uses(plan_, loop_)) {
    if (use.owners == nullptr || !may_be_kept(buffer, *use.owners)) continue;
    const std::size_t bytes = ir::size_of(plan_[buffer].type) * shape.own();
    if (bytes > left) continue;
    left -= bytes;
    shape.registers.insert(buffer);
  }
  if (shape.crew != jit::Crew::Grid) return;
  for (const auto& [buffer, use] : plan::buffer_uses(plan_, loop_)) {
    if (use.owners != nullptr || use.writers == nullptr || !may_be_kept(buffer, *use.writers)) {
      continue;
    }
    const std::size_t bytes = ir::size_of(plan_[buffer].type) * shape.own();
    if (bytes > left) continue;
    left -= bytes;
    shape.copied.insert(buffer);
  }
}

// What is stored to comes first, and of the rest the small ones.
void ChipRoom::keep_in_shared(jit::ResidentShape& shape, bool what_is_stored) const {
  std::vector<std::tuple<bool, std::size_t, ir::SymbolId>> wanted;
  plan::Symbols in_rows;
  const auto rows = plan::kept_rows(plan_, loop_);
  for (const std::uint32_t number : shape.rows) {
    in_rows.insert(rows[number].buffers.begin(), rows[number].buffers.end());
    in_rows.insert(rows[number].bounds);
  }
  for (const auto& [buffer, use] : plan::buffer_uses(plan_, loop_)) {
    if (shape.registers.contains(buffer) || in_rows.contains(buffer) || is_peeked_at(buffer)) {
      continue;
    }
    if (use.stores && !what_is_stored) continue;
    wanted.emplace_back(!use.stores, shared_bytes_of(plan_, buffer, bound_), buffer);
  }
  std::sort(wanted.begin(), wanted.end());
  std::size_t left = room_for_buffers(shape);
  for (const auto& [number, room] : room_for_rows(shape)) {
    left -= bytes_of_rows(plan_, rows[number], room.elements);
  }
  for (const auto& [is_read_only, bytes, buffer] : wanted) {
    if (bytes > left) continue;
    left -= bytes;
    shape.shared.insert(buffer);
  }
}

std::size_t ChipRoom::room_for_buffers(const jit::ResidentShape& shape) const {
  const std::size_t taken = spare_bytes + plan_.reductions.size() * fold_bytes(shape);
  return device_.max_shared_per_block > taken ? device_.max_shared_per_block - taken : 0;
}

std::size_t ChipRoom::bytes_of_buffers(const jit::ResidentShape& shape) const {
  std::size_t bytes = 0;
  for (const ir::SymbolId buffer : shape.shared) bytes += shared_bytes_of(plan_, buffer, bound_);
  return bytes;
}

// A sweep that never runs may have fewer bounds than its points want.
bool ChipRoom::have_bounds(const plan::KeptRows& rows) const {
  const ir::Range& range = rows.owners->ranges[0];
  const auto at = [&](const ir::Expr& bound) {
    return evaluate(bound, bound_.values).as_integer();
  };
  return at(range.begin) >= 0 && at(range.end) < bound_.buffer(rows.bounds).element_count();
}

// The points of a block follow each other unless its threads' second ones lie a strand apart.
void ChipRoom::keep_rows(jit::ResidentShape& shape) const {
  if (shape.points != 1) return;
  const auto rows = plan::kept_rows(plan_, loop_);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const auto is_elsewhere = [&](ir::SymbolId buffer) {
      return shape.shared.contains(buffer) || is_peeked_at(buffer);
    };
    const auto& buffers = rows[i].buffers;
    if (std::any_of(buffers.begin(), buffers.end(), is_elsewhere)) continue;
    if (have_bounds(rows[i])) shape.rows.insert(i);
  }
  const auto rooms = room_for_rows(shape);
  std::erase_if(shape.rows, [&](std::uint32_t i) { return rooms.at(i).elements == 0; });
}

std::map<std::uint32_t, ChipRoom::RowRoom> ChipRoom::room_for_rows(
    const jit::ResidentShape& shape) const {
  std::map<std::uint32_t, RowRoom> rooms;
  const auto rows = plan::kept_rows(plan_, loop_);
  const std::size_t all = room_for_buffers(shape);
  const std::size_t taken = bytes_of_buffers(shape);
  std::size_t left = all > taken ? all - taken : 0;
  for (const std::uint32_t number : shape.rows) {
    const plan::KeptRows& one = rows.at(number);
    std::int64_t elements = 0;
    for (const ir::SymbolId buffer : one.buffers) {
      elements = std::max(elements, bound_.buffer(buffer).element_count());
    }
    const auto points = points_of(plan_, *one.owners, bound_).value_or(0);
    const double own = static_cast<double>(shape.threads) * shape.strands;
    const double mean =
        points > 0 ? static_cast<double>(elements) / static_cast<double>(points) : 0;
    const double wanted =
        std::min(own * mean * more_than_mean + least_row_elements, static_cast<double>(elements));
    // Each buffer's part is a multiple of 16 bytes.
    const std::size_t spare = 16 * one.buffers.size();
    const double most =
        left > spare ? static_cast<double>((left - spare) / plan::bytes_per_term(plan_, one)) : 0;
    RowRoom room{static_cast<unsigned>(std::min(wanted, most)), 0};
    room.part = wanted > 0 ? std::min(1.0, room.elements / std::max(1.0, std::floor(wanted))) : 0;
    left -= bytes_of_rows(plan_, one, room.elements);
    rooms.emplace(number, room);
  }
  return rooms;
}

bool ChipRoom::holds_all_rows(const jit::ResidentShape& shape) const {
  const auto rows = plan::kept_rows(plan_, loop_);
  const auto rooms = room_for_rows(shape);
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const auto found = rooms.find(i);
    const bool are_kept = found != rooms.end() && found->second.part * more_than_mean >= 1;
    const auto& buffers = rows[i].buffers;
    const bool are_all_shared =
        std::all_of(buffers.begin(), buffers.end(),
                    [&](ir::SymbolId buffer) { return shape.shared.contains(buffer); });
    if (!are_kept && !are_all_shared) return false;
  }
  return true;
}

bool ChipRoom::has_room_for_folds(const jit::ResidentShape& shape) const {
  return spare_bytes + plan_.reductions.size() * fold_bytes(shape) <= most_declared;
}

unsigned ChipRoom::shared_bytes(const jit::ResidentShape& shape) const {
  std::size_t bytes = bytes_of_buffers(shape);
  if (shape.rows.empty()) return static_cast<unsigned>(bytes);
  const auto rows = plan::kept_rows(plan_, loop_);
  for (const auto& [number, room] : room_for_rows(shape)) {
    bytes += bytes_of_rows(plan_, rows.at(number), room.elements);
  }
  return static_cast<unsigned>(bytes);
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
