#include "gyre/plan/cost_model.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

// Round numbers, so that prices can be checked by hand.
CostTable round_costs() {
  CostTable table;
  table.guarded_off_kernel = 1;
  table.while_trip = 4;
  table.if_not_taken = 4;
  table.if_taken = 8;
  table.if_else = 7;
  table.switch_of_8 = 6;
  table.switch_of_64 = 9;
  return table;
}

std::uint32_t factor(std::size_t kernels, TripEstimate trips) {
  return unroll_factor(round_costs(), kernels, trips);
}

bool predicates(const std::vector<std::size_t>& arms) {
  return prefers_predication(round_costs(), arms);
}

TEST(CostModel, PricesALoopByItsEntriesAndTheCopiesBehindItsLastTrip) {
  const CostTable table = round_costs();

  EXPECT_DOUBLE_EQ(loop_price(table, 3, {.trips = 10, .exact = true}, 1), 40);
  // Three entries of 4 copies: two copies of three kernels too many.
  EXPECT_DOUBLE_EQ(loop_price(table, 3, {.trips = 10, .exact = true}, 4), 3 * 4 + 2 * 3);
  // On average 1.5 copies too many, and so (10 + 1.5) / 4 entries.
  EXPECT_DOUBLE_EQ(loop_price(table, 3, {.trips = 10}, 4), 11.5 + 1.5 * 3);
}

TEST(CostModel, EstimatesTripsByWhatThePlanSays) {
  WhileNode loop;
  EXPECT_EQ(estimate_trips(loop).trips, TripEstimate::unknown);
  EXPECT_FALSE(estimate_trips(loop).exact);

  loop.expect = 20;
  EXPECT_EQ(estimate_trips(loop).trips, 20);
  EXPECT_FALSE(estimate_trips(loop).exact);

  loop.counted = true;
  EXPECT_TRUE(estimate_trips(loop).exact);

  // Only a literal is refused for being negative.
  loop.expect = -3;
  EXPECT_EQ(estimate_trips(loop).trips, 0);
}

TEST(CostModel, EstimatesNoMoreTripsThanTheLimitAllows) {
  WhileNode loop;
  loop.constant_limit = 5;
  EXPECT_EQ(estimate_trips(loop).trips, 5);

  loop.expect = 3;
  EXPECT_EQ(estimate_trips(loop).trips, 3);
}

TEST(CostModel, DoesNotUnrollWhatRunsAboutOnce) {
  EXPECT_EQ(factor(1, {.trips = 0}), 1u);
  EXPECT_EQ(factor(3, {.trips = 1}), 1u);
}

TEST(CostModel, UnrollsMoreForMoreTripsAndLessForMoreKernels) {
  EXPECT_EQ(factor(3, {.trips = 10}), 4u);
  EXPECT_EQ(factor(3, {.trips = 1e6}), 32u);
  EXPECT_LT(factor(12, {.trips = 100}), factor(1, {.trips = 100}));
}

TEST(CostModel, UnrollsALoopOfKnownTripsWithoutRemainder) {
  EXPECT_EQ(factor(3, {.trips = 8, .exact = true}), 8u);
  EXPECT_EQ(factor(3, {.trips = 64, .exact = true}), 32u);
}

TEST(CostModel, TakesTheFactorOfLeastPrice) {
  const CostTable table = round_costs();
  for (const double trips : {0.0, 1.0, 2.0, 5.0, 33.0, 100.0, 1000.0}) {
    for (const std::size_t kernels : {1u, 2u, 7u, 16u}) {
      const double chosen =
          loop_price(table, kernels, {.trips = trips}, factor(kernels, {.trips = trips}));
      for (std::uint32_t other = 1; other <= max_unroll_factor; other *= 2) {
        EXPECT_LE(chosen, loop_price(table, kernels, {.trips = trips}, other)) << trips << kernels;
      }
    }
  }
}

TEST(CostModel, KeepsBodiesOfManyKernelsSmall) {
  EXPECT_EQ(factor(200, {.trips = 1e9}), 2u);
  EXPECT_EQ(factor(600, {.trips = 1e9}), 1u);
}

TEST(CostModel, PricesABranchByTheArmsNotTaken) {
  const std::vector<std::size_t> one_arm = {3, 0};
  const std::vector<std::size_t> two_arms = {3, 5};

  const BranchPrice one = branch_price(round_costs(), one_arm);
  const BranchPrice two = branch_price(round_costs(), two_arms);

  EXPECT_DOUBLE_EQ(one.predicated, 1.5);
  EXPECT_DOUBLE_EQ(one.node, 6);
  EXPECT_DOUBLE_EQ(two.predicated, 4);
  EXPECT_DOUBLE_EQ(two.node, 7);
}

TEST(CostModel, PredicatesSmallArmsAndKeepsLargeOnesInNodes) {
  EXPECT_TRUE(predicates({1, 0}));
  EXPECT_TRUE(predicates({12, 0}));
  EXPECT_FALSE(predicates({13, 0}));
  EXPECT_TRUE(predicates({7, 7}));
  EXPECT_FALSE(predicates({8, 7}));
}

TEST(CostModel, PricesSwitchesByTheLogarithmOfTheirArms) {
  const CostTable table = round_costs();

  EXPECT_DOUBLE_EQ(branch_price(table, std::vector<std::size_t>(3, 1)).node, 6);
  EXPECT_DOUBLE_EQ(branch_price(table, std::vector<std::size_t>(8, 1)).node, 6);
  EXPECT_DOUBLE_EQ(branch_price(table, std::vector<std::size_t>(16, 1)).node, 7);
  EXPECT_DOUBLE_EQ(branch_price(table, std::vector<std::size_t>(64, 1)).node, 9);
  EXPECT_TRUE(predicates(std::vector<std::size_t>(4, 1)));
  EXPECT_FALSE(predicates(std::vector<std::size_t>(64, 1)));
}

// docs/cost-model.md shows these choices.
TEST(CostModel, ChoosesOnAnH200AsItsPageSays) {
  const CostTable& table = shipped_cost_table();
  const auto factor_of = [&](double trips) { return unroll_factor(table, 3, {.trips = trips}); };
  const auto predicated = [&](std::vector<std::size_t> arms) {
    return prefers_predication(table, arms);
  };

  EXPECT_EQ(factor_of(1), 1u);
  EXPECT_EQ(factor_of(4), 4u);
  EXPECT_EQ(factor_of(10), 4u);
  EXPECT_EQ(factor_of(32), 8u);
  EXPECT_EQ(factor_of(100), 16u);
  EXPECT_EQ(factor_of(1000), 32u);
  EXPECT_TRUE(predicated({9, 0}));
  EXPECT_FALSE(predicated({10, 0}));
  EXPECT_TRUE(predicated({6, 7}));
  EXPECT_FALSE(predicated({7, 7}));
}

TEST(CostModel, AsksNothingForABranchWithoutWork) {
  const BranchPrice price = branch_price(round_costs(), std::vector<std::size_t>{0, 0});

  EXPECT_EQ(price.predicated, 0);
  EXPECT_EQ(price.node, 0);
}

}  // namespace
}  // namespace gyre::plan
