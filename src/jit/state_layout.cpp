#include "gyre/jit/state_layout.hpp"

#include "gyre/plan/walk.hpp"

namespace gyre::jit {
namespace {

/// A slot has its home and its shadow, 8 bytes each.
constexpr std::uint32_t slot_bytes = 16;
/// At most 2^18 strands in blocks of 256, 16 bytes each, and the count before them.
constexpr std::uint32_t partials_bytes = 16 + 1024 * 16;

std::uint32_t aligned(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + 255) / 256 * 256);
}

}  // namespace

std::uint32_t Names::number(const std::string& text) {
  const auto [place, added] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (added) texts_.push_back(text);
  return place->second;
}

StateLayout::StateLayout(const plan::Plan& plan, bool traced) : slots_(plan.symbols.size()) {
  std::uint32_t slots = 0;
  for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
    const auto kind = plan.symbols[i].kind;
    if (kind == ir::SymbolKind::Scalar || kind == ir::SymbolKind::Let) slots_[i] = slots++;
  }
  plan::for_each_node(plan.body, [&](const plan::Node& node) {
    const auto* fork = std::get_if<plan::ForkNode>(&node);
    if (fork != nullptr) arms_ += static_cast<std::uint32_t>(fork->arms.size());
  });
  from_ = head(0);
  cells_ = from_ + head_bytes;
  loops_ = cells_ + aligned(slots * std::size_t{slot_bytes});
  std::uint32_t loops = 0;
  std::uint32_t arms = 0;
  plan::for_each_node(plan.body, [&](const plan::Node& node) {
    const auto* many = std::get_if<plan::SwitchNode>(&node);
    const bool is_loop = std::holds_alternative<plan::WhileNode>(node);
    if (!is_loop && many == nullptr && !std::holds_alternative<plan::IfNode>(node)) return;
    first_arms_.push_back(arms);
    if (is_loop) {
      ++loops;
    } else {
      arms += many == nullptr ? 2 : static_cast<std::uint32_t>(many->cases.size() + 1);
    }
  });
  counters_ = loops_ + aligned(loops * std::size_t{loop_bytes});
  for (const plan::Plan::Region& region : plan.regions) {
    counter_of_.emplace(region.path, counters_ + 8 * counter_count_);
    counter_count_ += region.arms == 0 ? 1 : region.arms;
  }
  guards_ = counters_ + aligned(counter_count_ * std::size_t{8});
  partials_ = guards_ + aligned(arms * std::size_t{4});
  bytes_ = partials_ + plan.reductions.size() * std::size_t{partials_bytes};
  if (!traced) return;
  trace_ = static_cast<std::uint32_t>(aligned(bytes_));
  bytes_ = trace_ + sizeof(TraceHead) + trace_capacity * sizeof(TracedTrip);
}

StateLayout StateLayout::seen_from(std::uint32_t arm) const {
  StateLayout seen = *this;
  seen.from_ = head(arm);
  return seen;
}

std::uint32_t StateLayout::cell(const plan::Cell& cell) const {
  const std::uint32_t home =
      cells_ - from_ + slot_bytes * slots_.at(static_cast<std::size_t>(cell.slot));
  return cell.version == plan::Version::Home ? home : home + slot_bytes / 2;
}

std::uint32_t StateLayout::counter(const std::string& path) const {
  const auto found = counter_of_.find(path);
  return found == counter_of_.end() ? 0 : found->second - from_;
}

std::uint32_t StateLayout::partials(std::uint32_t reduction) const {
  return partials_ - from_ + reduction * partials_bytes;
}

}  // namespace gyre::jit
