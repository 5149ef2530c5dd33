#include "gyre/plan/trip_price.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/cost_model.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/text/parser.hpp"
#include "support/cg_loop.hpp"

#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

// Round numbers, so that prices can be checked by hand.
CostTable trip_costs() {
  CostTable table;
  table.graph_kernel = 3;
  table.programmatic_kernel = 2;
  table.guarded_off_kernel = 1;
  table.launch_and_wait = 6;
  table.while_trip = 64;
  table.if_not_taken = 4;
  table.if_taken = 8;
  table.last_block_ticket = 5;
  table.bytes_per_microsecond = 1000;
  table.kernel_sweep = 10;
  table.kernel_fold = 7;
  table.block_sweep = 1;
  table.block_fold = 2;
  table.cluster_sweep = 3;
  table.cluster_fold = 4;
  table.grid_sweep = 9;
  table.grid_fold = 8;
  table.block_barrier = 0.5;
  table.cluster_barrier = 2;
  table.grid_barrier = 5;
  table.block_trip = 3;
  table.cluster_trip = 1;
  table.grid_trip = 1;
  table.shared_bytes_per_microsecond = 400;
  table.shared_bytes_by_four = 100;
  table.cached_bytes_per_microsecond = 40;
  table.cached_bytes_by_four = 10;
  return table;
}

Plan priced_plan(const std::string& text) {
  return make_plan(passes::run_passes(text::parse_program("p.gyre", text)), all_steps);
}

TripWork work_of(const std::string& text) {
  const Plan plan = priced_plan(text);
  const CostTable table = trip_costs();
  return work_of_trip(plan, *resident_loops(plan).front(), GraphForms(plan, table));
}

TEST(TripPrice, ATripOfConjugateGradientsIsThreeSweepsTwoOfWhichFold) {
  const TripWork work = work_of(support::cg_loop);

  EXPECT_EQ(work.kernels, 3);
  EXPECT_EQ(work.sweeps, 3);
  EXPECT_EQ(work.folds, 2);
  EXPECT_EQ(work.last_blocks, 0);
  EXPECT_EQ(work.waits, 5) << "those of one row";
}

TEST(TripPrice, DecisionsAreThoseOfTheFormThatTheGraphGivesTheLoop) {
  const CostTable table = trip_costs();
  const Plan plan = priced_plan(support::cg_loop);
  const WhileNode& loop = *resident_loops(plan).front();
  const LoopForm form = choose_loop_form(table, 3, estimate_trips(loop));

  EXPECT_DOUBLE_EQ(work_of_trip(plan, loop, GraphForms(plan, table)).decisions,
                   loop_price(table, 3, 64, form) / 64);
}

TEST(TripPrice, BuffersThatTakeTurnsCostAGraphNoCopy) {
  const TripWork work = work_of(
      "program p(n: size) {\n  inout x: f64[n]\n  temp y: f64[n]\n  in k: i32\n"
      "  for t in 0..k { foreach i in 0..n { y[i] = 0.5 * x[n - 1 - i] }\n copy x = y }\n}");

  EXPECT_EQ(work.kernels, 1);
  EXPECT_EQ(work.sweeps, 2);
}

TEST(TripPrice, WhatATripMayOrMayNotDoCountsAsOftenAsItIsLikely) {
  const std::string head =
      "program p(n: size) {\n  inout x: f64[n], y: f64[n]\n  in k: i32\n  for t in 0..k {\n";
  const std::string sweep = "foreach i in 0..n { x[i] += y[n - 1 - i] }\n";
  const std::string back = "foreach i in 0..n { y[i] += x[n - 1 - i] }\n";

  const TripWork arm =
      work_of(head + "if x[t] > 0.5 {\n" + sweep + back + sweep + back + "}\n}\n}");
  const TripWork inner = work_of(head + "for s in 0..10 {\n" + sweep + back + "}\n}\n}");
  const TripWork unknown = work_of(head + "for s in 0..k {\n" + sweep + back + "}\n}\n}");

  EXPECT_DOUBLE_EQ(arm.sweeps, 2) << "every other trip has four";
  EXPECT_DOUBLE_EQ(inner.sweeps, 20);
  EXPECT_DOUBLE_EQ(unknown.sweeps, 128) << "64 is in the middle of 1 and 4,096, by the logarithm";
  EXPECT_GT(inner.decisions, arm.decisions);
}

TEST(TripPrice, AnInnerLoopWithARunnerOfItsOwnIsOneLaunchAndItsTrips) {
  const Plan plan = priced_plan(
      "program p(n: size) {\n  inout x: f64[n], y: f64[n]\n  in k: i32\n  for t in 0..k {\n"
      "    foreach i in 0..n { y[i] = x[n - 1 - i] }\n"
      "    for s in 0..10 { foreach i in 0..n { x[i] += y[n - 1 - i] } }\n  }\n}");
  const WhileNode& loop = *resident_loops(plan).front();
  const CostTable table = trip_costs();
  const GraphForms forms(plan, table);
  TripFacts facts;

  const TripWork together = work_of_trip(plan, loop, forms, facts);
  facts.inner_price = [](const WhileNode&) { return 0.5; };
  const TripWork apart = work_of_trip(plan, loop, forms, facts);

  EXPECT_EQ(together.sweeps, 11);
  EXPECT_EQ(apart.sweeps, 1);
  EXPECT_EQ(together.kernels - apart.kernels, 10 - 1);
  EXPECT_LT(apart.decisions, together.decisions);
}

TEST(TripPrice, ALastBlockThatFinishesItsOwnFoldIsCounted) {
  const TripWork work = work_of(
      "program p(n: size) {\n  inout x: f64[n], s: f64\n"
      "  while s < 9.0 { foreach i in 0..n { x[i] += 1.0 }\n s = max(i in 0..n) x[i] }\n}");

  EXPECT_EQ(work.kernels, 1);
  EXPECT_EQ(work.folds, 1);
  EXPECT_EQ(work.last_blocks, 1);
}

/// The bytes of a trip by the buffers' names, where every buffer's extents are given.
std::map<std::string, double> bytes_of(const std::string& text,
                                       const std::map<std::string, std::int64_t>& elements,
                                       long long points) {
  const Plan plan = priced_plan(text);
  ir::Bound bound;
  for (const ir::Symbol& symbol : plan.symbols) {
    const auto found = elements.find(symbol.name);
    bound.values.emplace_back();
    bound.buffers.push_back(
        {symbol.type, {found == elements.end() ? 0 : found->second}, nullptr, 0});
  }
  TripFacts facts;
  facts.points_of = [&](const Sweep&) { return points; };
  std::map<std::string, double> named;
  for (const auto& [buffer, bytes] :
       bytes_of_trip(plan, *resident_loops(plan).front(), bound, facts)) {
    named[plan[buffer].name] = bytes;
  }
  return named;
}

TEST(TripPrice, ATripGoesOnceThroughWhatEachOfItsSweepsTouches) {
  const auto bytes = bytes_of(support::cg_loop,
                              {{"row", 1001},
                               {"col", 5000},
                               {"val", 5000},
                               {"x", 1000},
                               {"r", 1000},
                               {"p", 1000},
                               {"q", 1000}},
                              1000);

  EXPECT_DOUBLE_EQ(bytes.at("val"), 40000);
  EXPECT_DOUBLE_EQ(bytes.at("col"), 20000);
  EXPECT_DOUBLE_EQ(bytes.at("row"), 4004);
  EXPECT_DOUBLE_EQ(bytes.at("x"), 16000) << "loaded and stored";
  EXPECT_DOUBLE_EQ(bytes.at("q"), 24000) << "stored, loaded for the fold, loaded for the residual";
}

TEST(TripPrice, FewPointsGoThroughAPartOfALargeBuffer) {
  const std::string levels =
      "program p(n: size) {\n  inout x: f64[n]\n  in a: f64[n], k: i32\n  for t in 0..k {\n"
      "    foreach j in 0..100 independent { scatter x[(t * 100 + j) % n] = a[(t + j) % n] }\n  "
      "}\n}";

  const auto bytes = bytes_of(levels, {{"x", 100'000}, {"a", 200'000}}, 100);

  EXPECT_DOUBLE_EQ(bytes.at("x"), 800);
  EXPECT_DOUBLE_EQ(bytes.at("a"), 1600) << "two elements for each of x";
}

TEST(TripPrice, AGraphPaysForKernelsFoldsDecisionsAndMemory) {
  const TripWork work{.kernels = 3, .sweeps = 4, .folds = 2, .last_blocks = 1, .decisions = 6};
  const double ends = 3 * 10 + 2 * 7 + 5 + 6;

  EXPECT_DOUBLE_EQ(trip_price(trip_costs(), work, {}), ends);
  EXPECT_DOUBLE_EQ(trip_price(trip_costs(), work, {.memory_bytes = 4000}), ends + 4);
  EXPECT_DOUBLE_EQ(trip_price(trip_costs(), work, {.starts_early = false}), ends + 3 * (3 - 2));
}

// A sweep that was measured has a chain of two loads.
TEST(TripPrice, AGraphPaysForChainsOfLoadsThatAreLongerThanTwoASweep) {
  TripWork work{.kernels = 1, .sweeps = 2, .waits = 4};

  EXPECT_DOUBLE_EQ(trip_price(trip_costs(), work, {}), 10);
  work.waits = 7;
  EXPECT_DOUBLE_EQ(trip_price(trip_costs(), work, {}), 10 + 3 * (9 - 5) / 2.0);
}

TEST(TripPrice, ACrewPaysForMeetingsFoldsAndChainsOfLoads) {
  const CostTable table = trip_costs();
  const TripWork work{.kernels = 3, .sweeps = 4, .folds = 2, .waits = 6, .decisions = 6};

  EXPECT_DOUBLE_EQ(trip_price(table, work, {.runner = Runner::Block}),
                   4 * 0.5 + 2 * 2 + 6 * (1 - 0.5) / 2);
  EXPECT_DOUBLE_EQ(trip_price(table, work, {.runner = Runner::Cluster}),
                   4 * 2 + 2 * 4 + 6 * (3 - 2) / 2.0);
  EXPECT_DOUBLE_EQ(trip_price(table, work, {.runner = Runner::Grid}),
                   4 * 5 + 2 * 8 + 6 * (9 - 5) / 2.0);
}

TEST(TripPrice, ATripTakesNoLessThanDecidingWhetherThereIsAnother) {
  EXPECT_DOUBLE_EQ(trip_price(trip_costs(), {}, {.runner = Runner::Block}), 3);
  EXPECT_DOUBLE_EQ(trip_price(trip_costs(), {.sweeps = 2}, {.runner = Runner::Block}), 3);
}

TEST(TripPrice, OneMultiprocessorGoesThroughBytesByWhereTheyLieAndHowManyPointsAThreadHas) {
  const CostTable table = trip_costs();
  const auto price = [&](TripPlace place, double terms = 0) {
    place.runner = Runner::Cluster;
    return trip_price(table, {.terms = terms}, place) - table.cluster_trip;
  };

  EXPECT_DOUBLE_EQ(price({.shared_bytes = 800, .memory_bytes = 80}), 800 / 400 + 80 / 40);
  EXPECT_DOUBLE_EQ(price({.shared_bytes = 800, .strands = 4}), 800 / 100);
  EXPECT_DOUBLE_EQ(price({.shared_bytes = 800, .strands = 2}), 800 / 200);
  EXPECT_DOUBLE_EQ(price({.memory_bytes = 80}, 4 * usual_terms), 80 / 10)
      << "long rows lie as far apart as four short ones";
  EXPECT_DOUBLE_EQ(price({.memory_bytes = 80, .threads = 2 * measured_threads}), 80 / 80);
}

// What a block has stored is near it.
TEST(TripPrice, ABlockWaitsLongerForWhatItDoesNotStore) {
  const TripWork work{.sweeps = 8, .waits = 8};
  const auto price = [&](double far) {
    return trip_price(trip_costs(), work,
                      {.runner = Runner::Block, .memory_bytes = 40, .far_bytes = far});
  };

  EXPECT_DOUBLE_EQ(price(0), 8 * 0.5 + 8 * 0.25 + 1);
  EXPECT_DOUBLE_EQ(price(40), 8 * 0.5 + 8 * 2 + 1);
  EXPECT_DOUBLE_EQ(price(20), (price(0) + price(40)) / 2);
}

TEST(TripPrice, AGridGoesThroughMemoryAsItsMultiprocessorsOrTheDeviceDo) {
  const auto price = [&](unsigned multiprocessors) {
    return trip_price(
        trip_costs(), {},
        {.runner = Runner::Grid, .memory_bytes = 4000, .multiprocessors = multiprocessors});
  };

  EXPECT_DOUBLE_EQ(price(10), 1 + 4000 / 400);
  EXPECT_DOUBLE_EQ(price(100), 1 + 4000 / 1000);
}

TEST(TripPrice, AGridGoesThroughWhatItsBlocksKeepAsAllOfItsMultiprocessorsDo) {
  EXPECT_DOUBLE_EQ(
      trip_price(trip_costs(), {},
                 {.runner = Runner::Grid, .shared_bytes = 8000, .multiprocessors = 10}),
      1 + 8000 / 4000.0);
}

}  // namespace
}  // namespace gyre::plan
