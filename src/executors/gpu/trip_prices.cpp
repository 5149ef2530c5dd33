#include "trip_prices.hpp"

#include "chip_room.hpp"
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
  const bool is_grid = shape.crew == jit::Crew::Grid;
  const double room = static_cast<double>(shape.threads) * shape.strands;
  const double part = is_grid ? 1 : room / static_cast<double>(std::max(1LL, points));
  const auto in_rows = parts_in_rows(shape);
  plan::TripFacts facts = facts_;
  for (const auto& [buffer, bytes] : bytes_) {
    if (shape.registers.contains(buffer)) continue;
    const auto found = in_rows.find(buffer);
    const double near = shape.shared.contains(buffer) ? 1
                        : found != in_rows.end()      ? found->second
                                                      : 0;
    crew.shared_bytes += near * part * bytes;
    crew.memory_bytes += (1 - near) * part * bytes;
    if (!stored_.contains(buffer)) crew.far_bytes += (1 - near) * part * bytes;
    if (found != in_rows.end() && near == 1) facts.near.insert(buffer);
  }
  return trip_price(forms_.table(), plan::work_of_trip(plan_, loop_, forms_, facts), crew);
}

// What part of each buffer lies in rows that blocks keep. Whoever has a row knows its bounds.
std::map<ir::SymbolId, double> TripPrices::parts_in_rows(const jit::ResidentShape& shape) const {
  std::map<ir::SymbolId, double> parts;
  const auto rows = plan::kept_rows(plan_, loop_);
  const ChipRoom chip(plan_, loop_, bound_, device_);
  for (const auto& [number, room] : chip.room_for_rows(shape)) {
    for (const ir::SymbolId buffer : rows.at(number).buffers) parts[buffer] = room.part;
    parts[rows.at(number).bounds] = room.part;
  }
  return parts;
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
