/// What a trip of a loop is expected to take, by who runs it: kernels of a graph, or a crew that
/// stays on the device from the first trip to the last.
///
/// Prices count the whole trip, in microseconds: what ends its sweeps, and what it goes through in
/// memory. Leaves out which crews have room for a loop (executors/), and what control flow adds to
/// kernels (cost_model.hpp).
#pragma once

#include "gyre/ir/bind.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/cost_table.hpp"
#include "gyre/plan/graph_forms.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace gyre::plan {

/// Who runs the trips of a loop.
enum class Runner : std::uint8_t { Graph, Block, Cluster, Grid };

/// For people: "by one block", "as kernels of a graph".
const char* phrase_of(Runner runner);

/// What a trip does, on average over what is not known before: arms are taken equally often, and a
/// loop that may make any number of trips makes the middle one by the logarithm.
struct TripWork {
  /// What a graph launches, kernels that guards switch off left out.
  double kernels = 0;
  /// Sweeps, and how many of them feed folds that go over the device. Clears and copies sweep too.
  double sweeps = 0;
  double folds = 0;
  /// Kernels of which the block that ends last does the rest.
  double last_blocks = 0;
  /// Loads that wait for one another, of all sweeps (waits.hpp).
  double waits = 0;
  /// Terms of the longest folds within a point.
  double terms = 0;
  /// Microseconds that the graph's loops and branches add, those of the loop itself included, and
  /// what inner loops take that have a runner of their own.
  double decisions = 0;
};

/// The points of a sweep in a run, and the terms of the longest fold within one of them; none where
/// only the device knows.
using PointsOf = std::function<std::optional<long long>(const Sweep&)>;
using TermsOf = std::function<std::optional<double>(const Sweep&)>;

/// Folds of which nobody knows how long they are have as many terms as those that were measured.
inline constexpr double usual_terms = 5;
/// Threads of the blocks that were measured.
inline constexpr unsigned measured_threads = 512;

/// What a trip of an inner loop takes where it has a runner of its own; none where it is part of
/// the trip around it.
using InnerPrice = std::function<std::optional<double>(const WhileNode&)>;

/// What is known of a run whose trips are priced.
struct TripFacts {
  PointsOf points_of = [](const Sweep&) { return std::nullopt; };
  TermsOf terms_of = [](const Sweep&) { return std::nullopt; };
  InnerPrice inner_price = [](const WhileNode&) { return std::nullopt; };
  /// Buffers that lie near whoever loads them: nobody waits for them.
  Symbols near = {};
};

TripWork work_of_trip(const Plan& plan, const WhileNode& loop, const GraphForms& forms,
                      const TripFacts& facts = {});

/// How many bytes of each buffer a trip loads and stores, each element once a sweep: what its
/// points own, else as large a part of the buffer as the points are of what they go through. Ten
/// points on a row each of a matrix of a thousand rows go through a hundredth of it.
std::map<ir::SymbolId, double> bytes_of_trip(const Plan& plan, const WhileNode& loop,
                                             const ir::Bound& bound, const TripFacts& facts);

/// Who runs a trip, and what it goes through there.
struct TripPlace {
  Runner runner = Runner::Graph;
  /// Bytes in shared memory and elsewhere. Of a block and a cluster those of one multiprocessor; of
  /// a grid and a graph all.
  double shared_bytes = 0;
  double memory_bytes = 0;
  /// Of a block's memory_bytes, those that it never stores: they are not near it.
  double far_bytes = 0;
  /// Threads of a block, and the adjacent points that each owns.
  unsigned threads = measured_threads;
  unsigned strands = 1;
  /// Of the device.
  unsigned multiprocessors = 1;
  /// A kernel may start before the one in front of it has ended.
  bool starts_early = true;
};

/// What such a trip takes:
///
///     graph:  kernels · kernel_sweep + folds · kernel_fold + last_blocks · last_block_ticket
///             + (waits − 2 · sweeps) · wait + decisions + memory_bytes / bytes_per_microsecond
///     crew:   max(crew_trip, sweeps · crew_barrier + waits · wait + folds · crew_fold)
///             + shared_bytes / shared rate + memory_bytes / cached rate
///
/// where a wait is half of what a crew's sweep takes beside its barrier, since what was measured
/// gathers; a graph's is that of a grid, and a block's lies between its own and that by its
/// far_bytes. A block's and a cluster's rates lie between those of one and of four adjacent points
/// a thread, by their logarithm; longer rows than those measured lie as far apart, and more threads
/// than those measured, a point each, go through as much more.
double trip_price(const CostTable& table, const TripWork& work, const TripPlace& place);

}  // namespace gyre::plan
