#include "gyre/plan/trip_price.hpp"

#include "gyre/base/error.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/touches.hpp"
#include "gyre/plan/waits.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gyre::plan {
namespace {

// Calls `visit` on each node of a block that a trip comes to `often`, with how often it comes to
// that node; goes into loops for which `visit` says so.
using VisitNode = std::function<bool(const Node&, double often)>;
void for_each_node_of_trip(const Block& block, double often, const VisitNode& visit) {
  for (const Node& node : block.nodes) {
    const bool goes_in = visit(node, often);
    if (const auto* choice = std::get_if<IfNode>(&node)) {
      for_each_node_of_trip(*choice->then, often / 2, visit);
      for_each_node_of_trip(*choice->otherwise, often / 2, visit);
    } else if (const auto* loop = std::get_if<WhileNode>(&node)) {
      if (goes_in) for_each_node_of_trip(*loop->body, often * usual_trips(*loop), visit);
    } else if (const auto* many = std::get_if<SwitchNode>(&node)) {
      const double each = often / static_cast<double>(many->cases.size() + 1);
      for (const Block& one : many->cases) for_each_node_of_trip(one, each, visit);
      for_each_node_of_trip(*many->otherwise, each, visit);
    } else if (const auto* fork = std::get_if<ForkNode>(&node)) {
      for (const Block& arm : fork->arms) for_each_node_of_trip(arm, often, visit);
    }
  }
}

// Of one and of four adjacent points, for points that lie so many times as far apart as one's rows
// do. Past 16 times each load has a sector of memory to itself.
double rate_of(double by_one, double by_four, double spread) {
  if (by_one <= 0 || by_four <= 0) return 0;
  return by_one * std::pow(by_four / by_one, std::log2(std::clamp(spread, 1.0, 16.0)) / 2);
}

// Nothing takes no time, whatever the rate.
double time_of(double bytes, double rate) {
  return bytes > 0 ? bytes / rate : 0;
}

double wait_of(double sweep, double barrier) {
  return std::max(0.0, sweep - barrier) / 2;
}
double wait_of_grid(const CostTable& table) {
  return wait_of(table.grid_sweep, table.grid_barrier);
}

/// A crew's own prices.
struct CrewCosts {
  double trip;
  double barrier;
  double fold;
  double wait;
};

CrewCosts costs_of(const CostTable& table, const TripPlace& place) {
  if (place.runner == Runner::Cluster) {
    return {table.cluster_trip, table.cluster_barrier, table.cluster_fold,
            wait_of(table.cluster_sweep, table.cluster_barrier)};
  }
  if (place.runner == Runner::Grid) {
    return {table.grid_trip, table.grid_barrier, table.grid_fold, wait_of_grid(table)};
  }
  const double all = place.shared_bytes + place.memory_bytes;
  const double far = all > 0 ? place.far_bytes / all : 0;
  const double near = wait_of(table.block_sweep, table.block_barrier);
  return {table.block_trip, table.block_barrier, table.block_fold,
          near + far * std::max(0.0, wait_of_grid(table) - near)};
}

double memory_price(const CostTable& table, const TripWork& work, const TripPlace& place) {
  if (place.runner == Runner::Grid) {
    const double all = place.multiprocessors * table.cached_bytes_per_microsecond;
    const double shared = place.multiprocessors * table.shared_bytes_per_microsecond;
    return time_of(place.shared_bytes, shared) +
           time_of(place.memory_bytes, std::min(table.bytes_per_microsecond, all));
  }
  // Where a thread has several points its rows are what it waits for.
  const double more =
      place.strands == 1 ? std::max(1.0, place.threads / double{measured_threads}) : 1;
  const double spread = place.strands * std::max(1.0, work.terms / usual_terms);
  const double shared_rate =
      rate_of(more * table.shared_bytes_per_microsecond, table.shared_bytes_by_four, place.strands);
  const double cached_rate =
      rate_of(more * table.cached_bytes_per_microsecond, table.cached_bytes_by_four, spread);
  return time_of(place.shared_bytes, shared_rate) + time_of(place.memory_bytes, cached_rate);
}

double price_of_crew(const CostTable& table, const TripWork& work, const TripPlace& place) {
  const CrewCosts costs = costs_of(table, place);
  const double ends =
      work.sweeps * costs.barrier + work.waits * costs.wait + work.folds * costs.fold;
  // What a trip decides is looked up while it works.
  return std::max(costs.trip, ends) + memory_price(table, work, place);
}

double price_of_graph(const CostTable& table, const TripWork& work, const TripPlace& place) {
  // Where kernels never start early a measured table has no difference between the two.
  const double late = place.starts_early ? 0 : table.graph_kernel - table.programmatic_kernel;
  return work.kernels * (table.kernel_sweep + late) + work.folds * table.kernel_fold +
         work.last_blocks * table.last_block_ticket +
         std::max(0.0, work.waits - 2 * work.sweeps) * wait_of_grid(table) + work.decisions +
         time_of(place.memory_bytes, table.bytes_per_microsecond);
}

double bytes_of(const Plan& plan, const ir::Bound& bound, ir::SymbolId buffer) {
  return static_cast<double>(bound.buffer(buffer).element_count()) *
         static_cast<double>(ir::size_of(plan[buffer].type));
}

// Of how many rows the buffers are that a sweep's points do not own: the least number that is not
// below that of the points.
double rows_behind(const Sweep& sweep, const ir::Bound& bound, double points) {
  double rows = 0;
  for (const auto& [buffer, touch] : touches_of(sweep)) {
    const auto& extents = bound.buffer(buffer).extents;
    const double own = extents.empty() ? 1 : static_cast<double>(extents.front());
    if (!touch.own && own >= points && (rows == 0 || own < rows)) rows = own;
  }
  return rows;
}

void add_bytes(const Plan& plan, const Sweep& sweep, const ir::Bound& bound, double points,
               double often, std::map<ir::SymbolId, double>& bytes) {
  const double rows = rows_behind(sweep, bound, points);
  const double part = rows > 0 ? points / rows : 1;
  for (const auto& [buffer, touch] : touches_of(sweep)) {
    const double all = bytes_of(plan, bound, buffer);
    const double own = points * static_cast<double>(ir::size_of(plan[buffer].type));
    const int times = (touch.loads ? 1 : 0) + (touch.stores ? 1 : 0);
    bytes[buffer] += often * times * (touch.own ? std::min(own, all) : part * all);
  }
}

void add_sweep(const Sweep& sweep, double often, const TripFacts& facts, TripWork& work) {
  const std::optional<double> terms = facts.terms_of(sweep);
  work.sweeps += often;
  work.folds += reductions_fed(sweep).empty() ? 0 : often;
  work.waits += often * waits_of(sweep, terms.value_or(usual_terms), facts.near);
  work.terms = std::max(work.terms, terms.value_or(0));
}

}  // namespace

const char* phrase_of(Runner runner) {
  switch (runner) {
    case Runner::Graph: return "as kernels of a graph";
    case Runner::Block: return "by one block";
    case Runner::Cluster: return "by one cluster";
    case Runner::Grid: return "by a grid";
  }
  GYRE_CHECK(false, "a runner of no kind");
  return "";
}

TripWork work_of_trip(const Plan& plan, const WhileNode& loop, const GraphForms& forms,
                      const TripFacts& facts) {
  TripWork work;
  work.decisions = forms.price_of(loop) / usual_trips(loop);
  if (forms.swaps(loop)) work.kernels -= 1;
  for_each_node_of_trip(*loop.body, 1, [&](const Node& node, double often) {
    if (const auto* launch = std::get_if<Launch>(&node)) {
      const Kernel& kernel = plan.kernels[launch->kernel];
      work.kernels += often;
      work.last_blocks += kernel.last_block ? often : 0;
      if (kernel.sweep) add_sweep(*kernel.sweep, often, facts, work);
    } else if (const auto* inner = std::get_if<WhileNode>(&node)) {
      if (const auto alone = facts.inner_price(*inner)) {
        work.kernels += often;
        work.decisions += often * usual_trips(*inner) * *alone;
        return false;
      }
      work.decisions += often * forms.price_of(*inner);
      if (forms.swaps(*inner)) work.kernels -= often * usual_trips(*inner);
    } else if (const auto* choice = std::get_if<IfNode>(&node)) {
      work.decisions += often * forms.price_of(*choice);
    } else if (const auto* many = std::get_if<SwitchNode>(&node)) {
      work.decisions += often * forms.price_of(*many);
    } else if (!std::holds_alternative<ForkNode>(node)) {
      work.kernels += often;
      work.sweeps += often;
    }
    return true;
  });
  return work;
}

std::map<ir::SymbolId, double> bytes_of_trip(const Plan& plan, const WhileNode& loop,
                                             const ir::Bound& bound, const TripFacts& facts) {
  std::map<ir::SymbolId, double> bytes;
  for_each_node_of_trip(*loop.body, 1, [&](const Node& node, double often) {
    if (const auto* launch = std::get_if<Launch>(&node)) {
      const auto& sweep = plan.kernels[launch->kernel].sweep;
      const auto points = sweep ? facts.points_of(*sweep) : std::nullopt;
      if (points) add_bytes(plan, *sweep, bound, static_cast<double>(*points), often, bytes);
    } else if (const auto* clear = std::get_if<Clear>(&node)) {
      bytes[clear->buffer] += often * bytes_of(plan, bound, clear->buffer);
    } else if (const auto* copy = std::get_if<CopyBuffer>(&node)) {
      bytes[copy->from] += often * bytes_of(plan, bound, copy->from);
      bytes[copy->to] += often * bytes_of(plan, bound, copy->to);
    } else if (const auto* inner = std::get_if<WhileNode>(&node)) {
      return !facts.inner_price(*inner).has_value();
    }
    return true;
  });
  return bytes;
}

double trip_price(const CostTable& table, const TripWork& work, const TripPlace& place) {
  return place.runner == Runner::Graph ? price_of_graph(table, work, place)
                                       : price_of_crew(table, work, place);
}

}  // namespace gyre::plan
