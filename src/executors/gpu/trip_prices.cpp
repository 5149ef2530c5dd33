#include "trip_prices.hpp"

#include "grid.hpp"
#include "gyre/base/error.hpp"
#include "gyre/plan/residence.hpp"
#include "sharing.hpp"

#include <algorithm>

namespace gyre::executors {

TripPrices::TripPrices(const plan::Plan& plan, const plan::WhileNode& loop, const ir::Bound& bound,
                       const cuda::DeviceFacts& device, const plan::GraphForms& forms)
    : plan_(plan), loop_(loop), bound_(bound), device_(device), forms_(forms) {
  facts_.points_of = [&](const plan::Sweep& sweep) { return points_of(plan, sweep, bound); };
  facts_.terms_of = [&](const plan::Sweep& sweep) { return terms_of(plan, sweep, bound); };
  work_ = plan::work_of_trip(plan, loop, forms, facts_);
  bytes_ = plan::bytes_of_trip(plan, loop, bound, facts_);
  for (const auto& [buffer, use] : plan::buffer_uses(plan, loop)) {
    if (use.stores) stored_.insert(buffer);
  }
}

plan::TripPlace TripPrices::place(plan::Runner runner) const {
  return {.runner = runner,
          .multiprocessors = static_cast<unsigned>(device_.sm_count),
          .starts_early = device_.has_clusters()};
}

double TripPrices::of_graph(const plan::InnerPrice& inner_price) const {
  plan::TripFacts facts = facts_;
  facts.inner_price = inner_price;
  plan::TripPlace graph = place(plan::Runner::Graph);
  for (const auto& [buffer, bytes] : plan::bytes_of_trip(plan_, loop_, bound_, facts)) {
    graph.memory_bytes += bytes;
  }
  return trip_price(forms_.table(), plan::work_of_trip(plan_, loop_, forms_, facts), graph);
}

double TripPrices::of(const jit::ResidentShape& shape, long long points) const {
  plan::TripPlace crew = place(runner_of(shape.crew));
  crew.threads = shape.threads;
  crew.strands = shape.strands;
  crew.blocks_at_once = shape.blocks_at_once;
  const bool is_grid = shape.crew == jit::Crew::Grid;
  const double room = static_cast<double>(shape.threads) * shape.strands;
  const double part = is_grid ? 1 : room / static_cast<double>(std::max(1LL, points));
  for (const auto& [buffer, bytes] : bytes_) {
    // A grid keeps in registers what its fewer threads then wait longer for.
    if (!is_grid && shape.registers.contains(buffer)) continue;
    const bool is_shared = shape.shared.contains(buffer);
    (is_shared ? crew.shared_bytes : crew.memory_bytes) += part * bytes;
    if (!is_shared && !stored_.contains(buffer)) crew.far_bytes += part * bytes;
  }
  return trip_price(forms_.table(), work_, crew);
}

plan::Runner runner_of(jit::Crew crew) {
  switch (crew) {
    case jit::Crew::Block: return plan::Runner::Block;
    case jit::Crew::Cluster: return plan::Runner::Cluster;
    case jit::Crew::Grid: return plan::Runner::Grid;
  }
  GYRE_CHECK(false, "a crew of no kind");
  return plan::Runner::Graph;
}

}  // namespace gyre::executors
