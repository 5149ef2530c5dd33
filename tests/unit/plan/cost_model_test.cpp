#include "gyre/plan/cost_model.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

// Round numbers, so that prices can be checked by hand.
CostTable round_costs() {
  CostTable table;
  table.graph_kernel = 1;
  table.launch_and_wait = 6;
  table.guarded_off_kernel = 1;
  table.while_trip = 4;
  table.if_not_taken = 4;
  table.if_taken = 8;
  table.if_else = 7;
  table.switch_of_8 = 6;
  table.switch_of_64 = 9;
  return table;
}

using Kind = TripEstimate::Kind;

LoopForm form(std::size_t kernels, const TripEstimate& trips, const FixedForm& fixed = {}) {
  return choose_loop_form(round_costs(), kernels, trips, fixed);
}

bool predicates(const std::vector<std::size_t>& arms) {
  return prefers_predication(round_costs(), arms);
}

TEST(CostModel, PricesALoopByItsEntriesAndTheCopiesBehindItsLastTrip) {
  const CostTable table = round_costs();

  EXPECT_DOUBLE_EQ(loop_price(table, 3, 10, {}), 40);
  // Three entries of 4 copies: two copies of three kernels too many.
  EXPECT_DOUBLE_EQ(loop_price(table, 3, 10, {.copies = 4}), 3 * 4 + 2 * 3);
  // Two ahead and two entries: none too many.
  EXPECT_DOUBLE_EQ(loop_price(table, 3, 10, {.ahead = 2, .copies = 4}), 2 * 4);
  // What stands ahead is enough.
  EXPECT_DOUBLE_EQ(loop_price(table, 3, 3, {.ahead = 8, .copies = 4}), 5 * 3);
}

TEST(CostModel, LossIsAPartOfWhatTheTripsTakeByThemselves) {
  const TripEstimate ten{.trips = 10, .kind = Kind::Exactly};

  EXPECT_DOUBLE_EQ(loop_loss(round_costs(), 3, ten, {}), 40.0 / (10 * 3 + 6));
}

TEST(CostModel, EstimatesTripsByWhatThePlanSays) {
  WhileNode loop;
  EXPECT_EQ(estimate_trips(loop).trips, TripEstimate::many);
  EXPECT_EQ(estimate_trips(loop).kind, Kind::AtMost);

  loop.expect = 20;
  EXPECT_EQ(estimate_trips(loop).trips, 20);
  EXPECT_EQ(estimate_trips(loop).kind, Kind::About);

  loop.counted = true;
  EXPECT_EQ(estimate_trips(loop).kind, Kind::Exactly);

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

TEST(CostModel, SamplesStandForAllTripsThatThereMayBe) {
  using Samples = std::vector<std::int64_t>;

  EXPECT_EQ((TripEstimate{7, Kind::Exactly}).samples(), Samples{7});
  EXPECT_EQ((TripEstimate{8, Kind::AtMost}).samples(), (Samples{1, 2, 3, 4, 6, 8}));
  EXPECT_EQ((TripEstimate{8, Kind::About}).samples(), (Samples{4, 5, 6, 7, 8, 10, 11, 13, 16}));
  EXPECT_EQ((TripEstimate{0, Kind::About}).samples(), Samples{1});
}

TEST(CostModel, DoesNotUnrollWhatRunsAboutOnce) {
  EXPECT_EQ(form(3, {1, Kind::About}), (LoopForm{.ahead = 1, .copies = 1}));
  EXPECT_EQ(form(3, {0, Kind::Exactly}), LoopForm{});
}

TEST(CostModel, UnrollsMoreForMoreTripsAndLessForMoreKernels) {
  EXPECT_EQ(form(3, {10, Kind::About}).copies, 4u);
  EXPECT_EQ(form(3, {1e6, Kind::About}).copies, 32u);
  EXPECT_LT(form(12, {100, Kind::About}).copies, form(1, {100, Kind::About}).copies);
}

TEST(CostModel, PutsTheFirstTripsOfALoopThatSaysNothingAhead) {
  const LoopForm one = form(1, {});

  EXPECT_GE(one.ahead, 4u);
  EXPECT_GE(one.copies, 8u);
  // At one trip less than twice what it takes by itself, at many little more.
  EXPECT_LT(loop_price(round_costs(), 1, 1, one), 2 * (6 + 1));
  EXPECT_LT(loop_price(round_costs(), 1, 1000, one), 0.5 * 1000);
}

TEST(CostModel, UnrollsALoopOfKnownTripsWithoutRemainder) {
  EXPECT_EQ(loop_price(round_costs(), 3, 8, form(3, {8, Kind::Exactly})), 0);
  EXPECT_EQ(loop_price(round_costs(), 3, 64, form(3, {64, Kind::Exactly})) / 4, 2);
}

TEST(CostModel, TakesTheFormOfLeastLoss) {
  const CostTable table = round_costs();
  for (const double trips : {0.0, 1.0, 2.0, 5.0, 33.0, 100.0, 1000.0}) {
    for (const std::size_t kernels : {1u, 2u, 7u, 16u}) {
      const TripEstimate about{trips, Kind::About};
      const double chosen = loop_loss(table, kernels, about, form(kernels, about));
      for (std::uint32_t copies = 1; copies <= max_unroll_factor; copies *= 2) {
        for (const std::uint32_t ahead : {0u, 1u, 4u, 16u}) {
          if ((ahead + copies) * kernels > max_unrolled_kernels) continue;
          EXPECT_LE(chosen, loop_loss(table, kernels, about, {ahead, copies}))
              << trips << " trips of " << kernels;
        }
      }
    }
  }
}

TEST(CostModel, KeepsToWhatIsSettled) {
  EXPECT_EQ(form(3, {}, {.ahead = 0}).ahead, 0u);
  EXPECT_EQ(form(3, {}, {.ahead = 3, .copies = 5}), (LoopForm{3, 5}));
  EXPECT_EQ(form(1, {1, Kind::About}, {.evenly = true}).ahead % 2, 0u);
}

TEST(CostModel, KeepsBodiesOfManyKernelsSmall) {
  EXPECT_EQ(form(200, {1e9, Kind::About}, {.ahead = 0}).copies, 2u);
  EXPECT_EQ(form(600, {1e9, Kind::About}), LoopForm{});
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
  const auto form_of = [&](const TripEstimate& trips) { return choose_loop_form(table, 3, trips); };
  const auto predicated = [&](std::vector<std::size_t> arms) {
    return prefers_predication(table, arms);
  };

  EXPECT_EQ(form_of({}), (LoopForm{4, 8}));
  EXPECT_EQ(form_of({1, Kind::About}), (LoopForm{1, 1}));
  EXPECT_EQ(form_of({4, Kind::About}), (LoopForm{4, 2}));
  EXPECT_EQ(form_of({10, Kind::About}), (LoopForm{8, 4}));
  EXPECT_EQ(form_of({32, Kind::About}), (LoopForm{16, 8}));
  EXPECT_EQ(form_of({100, Kind::About}), (LoopForm{8, 16}));
  EXPECT_EQ(form_of({1000, Kind::About}), (LoopForm{8, 32}));
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
