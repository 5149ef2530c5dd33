#include "residence.hpp"

#include "chip_room.hpp"
#include "grid.hpp"
#include "gyre/ir/strands.hpp"
#include "gyre/plan/cost_model.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/plan/teams.hpp"
#include "gyre/plan/walk.hpp"
#include "sharing.hpp"
#include "trip_prices.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace gyre::executors {
namespace {

using Form = PersistentOptions::Form;

/// The most strands of a thread, and the most points of a strand. A block owns as many points as
/// its most threads with the most strands.
constexpr unsigned most_own = 4;
constexpr unsigned most_threads = 1024;
constexpr unsigned most_owned_by_block = most_threads * most_own;
/// With more threads, folds of the device cost more than owning several points does. Where trips
/// fold nothing, a thread's second point would only wait for its first.
constexpr unsigned best_threads_of_folds = 512;

/// What is the same for all loops of a run.
struct Run {
  const plan::Plan& plan;
  const ir::Bound& bound;
  const cuda::DeviceFacts& device;
  plan::GraphForms forms;
  /// Threads of a block; 0: whatever suits.
  unsigned threads;
  /// What inner loops take by themselves, each found once however deep it lies.
  std::map<const plan::WhileNode*, std::optional<double>> alone = {};
};

/// Finds the shape of one loop.
class Settle {
 public:
  Settle(Run& run, const plan::WhileNode& loop)
      : run_(run),
        plan_(run.plan),
        loop_(loop),
        bound_(run.bound),
        device_(run.device),
        threads_(run.threads),
        room_(run.plan, loop, run.bound, run.device) {
    plan::for_each_kernel(plan_, *loop.body, [&](const plan::Kernel& kernel) {
      if (!kernel.sweep) return;
      const auto points = points_of(plan_, *kernel.sweep, bound_);
      is_known_ = is_known_ && points.has_value();
      points_ = std::max(points_, points.value_or(0));
      wants_teams_ = wants_teams_ || wants_team(*kernel.sweep);
      has_long_folds_ = has_long_folds_ || has_long_folds(*kernel.sweep);
    });
  }

  struct Found {
    std::optional<jit::ResidentShape> shape;
    /// What a choice by price was made by, or why there is no shape.
    std::string reason;
  };

  /// The shape of a crew of that kind, or the sentence that says why there is none.
  Found shape(Form form) const {
    switch (form) {
      case Form::Block: return block();
      case Form::Cluster: return cluster();
      case Form::Grid: return grid();
      case Form::Automatic: break;
    }
    if (wants_teams_) {
      return {{}, "several threads share an index, which a kernel of its own does not do"};
    }
    // Extents that only the device knows make every kernel of a graph as large as any.
    return is_known_ ? cheapest() : grid();
  }

 private:
  // A warp's share of a fold is little enough for one thread on the chip.
  bool wants_team(const plan::Sweep& sweep) const {
    if (!plan::may_share_points(plan_, sweep)) return false;
    return sweep.team != ir::Team::Any ||
           choose_sharing(plan_, sweep, bound_).lanes == plan::block_lanes;
  }

  bool has_long_folds(const plan::Sweep& sweep) const {
    return plan::folds_within_points(sweep) &&
           terms_of(plan_, sweep, bound_).value_or(0) >= plan::long_fold;
  }

  std::string points_text() const { return std::to_string(points_) + " points"; }

  struct Priced {
    double price;
    Found found;
  };

  // The crew whose trips take least; none where none has room.
  std::optional<Priced> cheapest_crew(std::string& reason) const {
    const TripPrices prices(plan_, loop_, bound_, device_, run_.forms);
    std::optional<Priced> best;
    for (const Form form : {Form::Block, Form::Cluster, Form::Grid}) {
      Found found = shape(form);
      if (found.shape) found.reason = why_not_asked(*found.shape);
      if (!found.reason.empty()) {
        reason = found.reason;
        continue;
      }
      const double price = prices.of(*found.shape, points_);
      if (!best || price < best->price) best = Priced{price, std::move(found)};
    }
    return best;
  }

  // As kernels of a graph, whose inner loops may be kernels of their own.
  double price_of_graph() const {
    return TripPrices(plan_, loop_, bound_, device_, run_.forms)
        .of_graph([&](const plan::WhileNode& inner) {
          const auto found = run_.alone.find(&inner);
          return found != run_.alone.end() ? found->second
                                           : run_.alone[&inner] = Settle(run_, inner).price_alone();
        });
  }

  // Of a loop's own crew, where its trips take less with that than in the graph.
  std::optional<double> price_alone() const {
    if (wants_teams_ || !is_known_) return std::nullopt;
    std::string reason;
    const auto crew = cheapest_crew(reason);
    return crew && crew->price < price_of_graph() ? std::optional(crew->price) : std::nullopt;
  }

  // That crew, where the graph's trips do not take less.
  Found cheapest() const {
    std::string reason;
    auto best = cheapest_crew(reason);
    if (!best) return {{}, reason};
    const double graph = price_of_graph();
    Found& found = best->found;
    found.reason = "a trip takes " + plan::price_text(best->price) + " " +
                   plan::phrase_of(runner_of(found.shape->crew)) + " and " +
                   plan::price_text(graph) + " " + plan::phrase_of(plan::Runner::Graph);
    if (best->price >= graph) found.shape.reset();
    return found;
  }

  // Why a crew that has room for the loop is not asked for its price; empty where it is.
  std::string why_not_asked(const jit::ResidentShape& shape) const {
    if (shape.crew == jit::Crew::Block) {
      return room_.is_near_one_block(shape, points_)
                 ? ""
                 : "what a trip stores does not lie near one block";
    }
    if (shape.goes_in_rounds()) return points_text() + " are more than sit on the device";
    return shape.long_folds && !room_.holds_all_rows(shape)
               ? "rows of so many terms do not all lie on the chip"
               : "";
  }

  Found block() const {
    Found found = owners(jit::Crew::Block, 1);
    if (found.shape) {
      room_.keep_in_shared(*found.shape, true);
      room_.keep_rows(*found.shape);
    }
    return found;
  }

  Found cluster() const {
    if (!device_.has_clusters()) return {{}, "the device has no clusters"};
    Found found = owners(jit::Crew::Cluster, jit::cluster_blocks);
    if (found.shape) {
      room_.keep_rows(*found.shape);
      room_.keep_in_shared(*found.shape, false);
    }
    return found;
  }

  Found grid() const {
    if (!device_.cooperative_launch) {
      return {{}, "the device has no cooperative launch"};
    }
    jit::ResidentShape shape{.crew = jit::Crew::Grid, .threads = jit::grid_threads};
    if (!is_known_ || !own_all(shape)) {
      return {
          jit::ResidentShape{.crew = jit::Crew::Grid, .threads = jit::grid_threads, .points = 0},
          ""};
    }
    shape.long_folds = has_long_folds_;
    room_.keep_in_registers(shape);
    room_.keep_rows(shape);
    return {shape, ""};
  }

  // Lets a grid with a block on each multiprocessor own all points: of few threads where that is
  // enough, since the fewer a block has the sooner it meets.
  bool own_all(jit::ResidentShape& shape) const {
    const long long strands = std::clamp(points_, 1LL, strands::max_outer);
    const long long blocks = std::min<long long>(device_.sm_count, jit::most_owner_blocks);
    const long long each = (strands + blocks - 1) / blocks;
    if (points_ > most_own * strands) return false;
    shape.points = static_cast<unsigned>(std::max(1LL, (points_ + strands - 1) / strands));
    // A strand a thread, or else threads that have registers for several.
    const unsigned most = each <= most_threads ? most_threads : best_threads();
    while (shape.threads < each && shape.threads < most) shape.threads *= 2;
    while (shape.threads * shape.strands < each) shape.strands *= 2;
    return shape.own() * shape.threads <= most_owned_by_block && room_.has_room_for_folds(shape);
  }

  unsigned best_threads() const {
    return plan::has_trips_without_folds(plan_, loop_) ? most_threads : best_threads_of_folds;
  }

  // A crew whose threads own all points. Powers of two: warps make aligned parts of every fold.
  Found owners(jit::Crew crew, unsigned blocks) const {
    if (!is_known_) return {{}, "only the device knows how many points it has"};
    const auto each = static_cast<unsigned long long>((points_ + blocks - 1) / blocks);
    if (each > most_owned_by_block) {
      return {{}, points_text() + " are more than such a crew owns"};
    }
    const unsigned own =
        std::max(threads_ == 0 ? 64U : threads_, std::bit_ceil(static_cast<unsigned>(each)));
    jit::ResidentShape shape;
    shape.crew = crew;
    const unsigned best = best_threads();
    shape.threads = threads_ != 0           ? threads_
                    : own > best * most_own ? most_threads
                                            : std::min(own, best);
    shape.strands = own / shape.threads;
    if (shape.strands > most_own) {
      return {{}, points_text() + " are more than so few threads own"};
    }
    if (!room_.has_room_for_folds(shape)) return {{}, "its folds do not find room on the chip"};
    shape.long_folds = has_long_folds_;
    room_.keep_in_registers(shape);
    return {shape, ""};
  }

  Run& run_;
  const plan::Plan& plan_;
  const plan::WhileNode& loop_;
  const ir::Bound& bound_;
  const cuda::DeviceFacts& device_;
  unsigned threads_;
  ChipRoom room_;
  bool is_known_ = true;
  bool wants_teams_ = false;
  bool has_long_folds_ = false;
  long long points_ = 0;
};

}  // namespace

std::vector<std::int64_t> sizes_of(const plan::Plan& plan, const ir::Bound& bound) {
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
    const bool is_size = plan.symbols[i].kind == ir::SymbolKind::Size;
    if (is_size) sizes.push_back(bound.values[i].as_integer());
    // What the host looks at during a run lies in memory.
    const bool is_output =
        plan.symbols[i].kind == ir::SymbolKind::Buffer && plan.symbols[i].intent == ir::Intent::Out;
    if (is_output) sizes.push_back(bound.buffers[i].edition != 0 ? 1 : 0);
  }
  return sizes;
}

Residents find_residents(const plan::Plan& plan, const ir::Bound& bound,
                         const cuda::DeviceFacts& device, const plan::CostTable& costs,
                         const PersistentOptions& options) {
  Run run{plan, bound, device, plan::GraphForms(plan, costs), options.threads};
  Residents found;
  auto loops = plan::resident_loops(plan);
  std::uint32_t number = 0;
  plan::for_each_node(plan.body, [&](const plan::Node& node) {
    const auto* loop = std::get_if<plan::WhileNode>(&node);
    if (std::find(loops.begin(), loops.end(), loop) != loops.end()) {
      const auto [shape, reason] = Settle(run, *loop).shape(options.form);
      if (shape) {
        found.shapes.emplace(number, *shape);
        if (!reason.empty()) found.chosen.push_back(loop->region + " is one kernel: " + reason);
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

}  // namespace gyre::executors
