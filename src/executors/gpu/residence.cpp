#include "residence.hpp"

#include "grid.hpp"
#include "gyre/base/error.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/plan/teams.hpp"
#include "gyre/plan/walk.hpp"
#include "sharing.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace gyre::executors {
namespace {

using Form = PersistentOptions::Form;

/// The most points that a thread owns, and the most that a crew of each kind takes on.
constexpr unsigned most_strands = 4;
constexpr unsigned most_threads = 1024;
/// With more threads, folds of the device cost more than owning several points does. Where trips
/// fold nothing, a thread's second point would only wait for its first.
constexpr unsigned best_threads_of_folds = 512;
/// A buffer of so many times the elements that a sweep has points is worked on in parts: what a
/// trip touches of it stays near one multiprocessor, where all of it would not.
constexpr std::size_t parts_of_memory = 8;
/// More blocks of a grid on one multiprocessor would leave its threads too few registers.
constexpr unsigned most_blocks_at_once = 4;
/// Up to so many points the form is the quickest. A grid's barrier costs more than kernels that
/// start early: where there are such, a grid is for extents that only the device knows, which make
/// every kernel of a graph as large as any.
long long most_points(Form form, const cuda::DeviceFacts& device) {
  switch (form) {
    case Form::Block: return 1 << 10;
    case Form::Cluster: return 1 << 13;
    default: return device.has_clusters() ? 0 : 1 << 16;
  }
}

/// What a kernel has in shared memory beside buffers, as a bound: votes, and the shares of a fold.
constexpr std::size_t fold_bytes = 16 * (32 + jit::cluster_blocks);
constexpr std::size_t spare_bytes = 1024;

std::size_t bytes_of(const plan::Plan& plan, ir::SymbolId buffer, const ir::Bound& bound) {
  const auto elements = static_cast<std::size_t>(bound.buffer(buffer).element_count());
  return (elements * ir::size_of(plan[buffer].type) + 15) / 16 * 16;
}

/// Finds the shape of one loop.
class Settle {
 public:
  Settle(const plan::Plan& plan, const plan::WhileNode& loop, const ir::Bound& bound,
         const cuda::DeviceFacts& device, unsigned threads)
      : plan_(plan), loop_(loop), bound_(bound), device_(device), threads_(threads) {
    plan::for_each_kernel(plan, *loop.body, [&](const plan::Kernel& kernel) {
      if (!kernel.sweep) return;
      const auto points = points_of(plan, *kernel.sweep, bound);
      is_known_ = is_known_ && points.has_value();
      points_ = std::max(points_, points.value_or(0));
      wants_teams_ = wants_teams_ || wants_team(*kernel.sweep);
      const auto form = choose_sharing(plan, *kernel.sweep, bound).form;
      has_long_folds_ = has_long_folds_ || form != jit::FoldForm::Short;
    });
  }

  using Found = std::pair<std::optional<jit::ResidentShape>, std::string>;

  /// The shape of a crew of that kind, or the sentence that says why there is none.
  Found shape(Form form) const {
    switch (form) {
      case Form::Block: return block();
      case Form::Cluster: return cluster();
      case Form::Grid: return grid();
      case Form::Automatic: break;
    }
    if (wants_teams_) {
      return {std::nullopt,
              "several threads share an index, which a kernel of its own does not do"};
    }
    std::string reason = points_text() + " are more than sit on the device";
    for (const Form one : {Form::Block, Form::Cluster, Form::Grid}) {
      if (points_ > most_points(one, device_)) continue;
      if (one == Form::Cluster && has_long_folds_) {
        reason = "its folds within an index are long, for which kernels of their own have a form";
        continue;
      }
      Found found = shape(one);
      if (found.first && (one != Form::Block || is_near_one_block(*found.first))) return found;
      reason = found.second;
    }
    return {std::nullopt, reason};
  }

 private:
  // A warp's share of a fold is little enough for one thread on the chip.
  bool wants_team(const plan::Sweep& sweep) const {
    if (!plan::may_share_points(plan_, sweep)) return false;
    return sweep.team != ir::Team::Any ||
           choose_sharing(plan_, sweep, bound_).lanes == plan::block_lanes;
  }

  // On the chip nobody else would see what it holds before the loop ends.
  bool is_peeked_at(ir::SymbolId buffer) const {
    return plan_[buffer].intent == ir::Intent::Out && bound_.buffer(buffer).edition != 0;
  }

  std::string points_text() const { return std::to_string(points_) + " points"; }

  Found block() const {
    Found found = owners(jit::Crew::Block, 1);
    if (found.first) keep_in_shared(*found.first, true);
    return found;
  }

  Found cluster() const {
    if (!device_.has_clusters()) return {std::nullopt, "the device has no clusters"};
    Found found = owners(jit::Crew::Cluster, jit::cluster_blocks);
    if (found.first) keep_in_shared(*found.first, false);
    return found;
  }

  Found grid() const {
    if (!device_.cooperative_launch) {
      return {std::nullopt, "the device has no cooperative launch"};
    }
    jit::ResidentShape shape{.crew = jit::Crew::Grid, .threads = jit::grid_threads};
    const unsigned blocks = strand_blocks(is_known_ ? std::optional(points_) : std::nullopt);
    const auto multiprocessors = static_cast<unsigned>(device_.sm_count);
    const unsigned at_once = (blocks + multiprocessors - 1) / multiprocessors;
    const auto threads_left = static_cast<unsigned>(device_.max_threads_per_sm) / shape.threads;
    if (at_once <= std::min(most_blocks_at_once, threads_left)) {
      shape.blocks_at_once = at_once;
      keep_in_registers(shape);
    }
    return {shape, ""};
  }

  // A crew whose threads own all points. Powers of two: warps make aligned parts of every fold.
  Found owners(jit::Crew crew, unsigned blocks) const {
    if (!is_known_) return {std::nullopt, "only the device knows how many points it has"};
    const auto each = static_cast<unsigned long long>((points_ + blocks - 1) / blocks);
    if (each > 1ULL * most_threads * most_strands) {
      return {std::nullopt, points_text() + " are more than such a crew owns"};
    }
    const unsigned own =
        std::max(threads_ == 0 ? 64U : threads_, std::bit_ceil(static_cast<unsigned>(each)));
    jit::ResidentShape shape;
    shape.crew = crew;
    const unsigned best =
        plan::has_trips_without_folds(plan_, loop_) ? most_threads : best_threads_of_folds;
    shape.threads = threads_ != 0               ? threads_
                    : own > best * most_strands ? most_threads
                                                : std::min(own, best);
    shape.strands = own / shape.threads;
    if (shape.strands > most_strands) {
      return {std::nullopt, points_text() + " are more than so few threads own"};
    }
    keep_in_registers(shape);
    return {shape, ""};
  }

  // A quarter of a thread's registers, of which it has 255 at most.
  void keep_in_registers(jit::ResidentShape& shape) const {
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
  void keep_in_shared(jit::ResidentShape& shape, bool what_is_stored) const {
    std::vector<std::tuple<bool, std::size_t, ir::SymbolId>> wanted;
    for (const auto& [buffer, use] : plan::buffer_uses(plan_, loop_)) {
      if (shape.registers.contains(buffer) || is_peeked_at(buffer)) continue;
      if (use.stores && !what_is_stored) continue;
      wanted.emplace_back(!use.stores, bytes_of(plan_, buffer, bound_), buffer);
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

  // What is stored to lies on the chip, or is worked on in parts, of which a point stores little.
  bool is_near_one_block(const jit::ResidentShape& shape) const {
    const plan::Symbols in_loops = plan::stored_in_loops_of_points(plan_, loop_);
    const auto uses = plan::buffer_uses(plan_, loop_);
    return std::all_of(uses.begin(), uses.end(), [&](const auto& entry) {
      const ir::SymbolId buffer = entry.first;
      if (!entry.second.stores || shape.shared.contains(buffer) ||
          shape.registers.contains(buffer) || is_peeked_at(buffer)) {
        return true;
      }
      const auto elements = static_cast<std::size_t>(bound_.buffer(buffer).element_count());
      return !in_loops.contains(buffer) &&
             elements >= parts_of_memory * static_cast<std::size_t>(points_);
    });
  }

  const plan::Plan& plan_;
  const plan::WhileNode& loop_;
  const ir::Bound& bound_;
  const cuda::DeviceFacts& device_;
  unsigned threads_;
  bool is_known_ = true;
  bool has_long_folds_ = false;
  bool wants_teams_ = false;
  long long points_ = 0;
};

}  // namespace

std::vector<std::int64_t> sizes_of(const plan::Plan& plan, const ir::Bound& bound) {
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
    const bool is_size = plan.symbols[i].kind == ir::SymbolKind::Size;
    if (is_size) sizes.push_back(bound.values[i].as_integer());
  }
  return sizes;
}

Residents find_residents(const plan::Plan& plan, const ir::Bound& bound,
                         const cuda::DeviceFacts& device, const PersistentOptions& options) {
  Residents found;
  auto loops = plan::resident_loops(plan);
  std::uint32_t number = 0;
  plan::for_each_node(plan.body, [&](const plan::Node& node) {
    const auto* loop = std::get_if<plan::WhileNode>(&node);
    if (std::find(loops.begin(), loops.end(), loop) != loops.end()) {
      const auto [shape, reason] =
          Settle(plan, *loop, bound, device, options.threads).shape(options.form);
      if (shape) {
        found.shapes.emplace(number, *shape);
      } else {
        found.declined.push_back(loop->region + " is no kernel of its own: " + reason);
        // A loop of many points may hold one of few: the levels of a triangle, say.
        const auto inner = plan::resident_loops(plan, *loop->body);
        loops.insert(loops.end(), inner.begin(), inner.end());
      }
    }
    if (plan::is_branch(node)) ++number;
  });
  return found;
}

cuda::LaunchShape resident_launch(const plan::Plan& plan, const plan::WhileNode& loop,
                                  const jit::ResidentShape& shape, const ir::Bound& bound,
                                  const cuda::Function& function) {
  cuda::LaunchShape launch{.grid_x = shape.blocks(), .block_x = shape.threads};
  for (const ir::SymbolId buffer : shape.shared) {
    launch.shared_bytes += static_cast<unsigned>(bytes_of(plan, buffer, bound));
  }
  if (shape.crew == jit::Crew::Cluster) launch.cluster_x = shape.blocks();
  if (shape.crew != jit::Crew::Grid) return launch;
  plan::for_each_kernel(plan, *loop.body, [&](const plan::Kernel& kernel) {
    launch.grid_x = std::max(launch.grid_x, blocks_of(plan, kernel, bound));
  });
  const int at_once = function.blocks_per_sm(static_cast<int>(shape.threads), 0) *
                      cuda::read_device_facts().sm_count;
  const unsigned wanted = launch.grid_x;
  launch.grid_x = std::min(wanted, static_cast<unsigned>(std::max(1, at_once)));
  GYRE_CHECK(shape.goes_in_rounds() || launch.grid_x == wanted,
             "a grid whose blocks are not all on the device at once");
  launch.cooperative = true;
  return launch;
}

}  // namespace gyre::executors
