#include "gyre/dispatch/plan_buckets.hpp"

#include "gyre/base/error.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::dispatch {
namespace {

SizeCosts linear_costs(double capture, double eager_start, double eager_row, double replay_start,
                       double replay_row, std::size_t bytes_row = 1) {
  return {
      .capture = [=](std::int64_t) { return capture; },
      .replay =
          [=](std::int64_t rows) { return replay_start + replay_row * static_cast<double>(rows); },
      .eager =
          [=](std::int64_t rows) { return eager_start + eager_row * static_cast<double>(rows); },
      .bytes = [=](std::int64_t rows) { return bytes_row * static_cast<std::size_t>(rows); }};
}

TEST(PlanBuckets, TakesASizeOnlyWhereItPaysBack) {
  const SizeCosts costs = linear_costs(600, 12, 0, 10, 0);

  EXPECT_TRUE(plan_buckets({{4, 300}}, costs).buckets.empty());
  EXPECT_EQ(plan_buckets({{4, 301}}, costs).buckets, (std::vector<PlannedBucket>{{4, 4}}));
}

TEST(PlanBuckets, SharesABucketWhereMakingAnotherCostsMoreThanThePadding) {
  const Histogram requests = {{7, 1000}, {8, 1000}};

  const BucketPlan coarse = plan_buckets(requests, linear_costs(5000, 100, 1, 10, 1));
  const BucketPlan fine = plan_buckets(requests, linear_costs(500, 100, 1, 10, 1));

  EXPECT_EQ(coarse.buckets, (std::vector<PlannedBucket>{{8, 7}}));
  EXPECT_EQ(fine.buckets, (std::vector<PlannedBucket>{{7, 7}, {8, 8}}));
}

TEST(PlanBuckets, LeavesASizeOutWhosePaddingEatsTheSaving) {
  // A row costs as much as a launch saves: 1 row does not go into 100.
  const BucketPlan plan = plan_buckets({{1, 100}, {100, 1000}}, linear_costs(5e4, 100, 1, 10, 1));

  EXPECT_EQ(plan.buckets, (std::vector<PlannedBucket>{{100, 100}}));
  EXPECT_EQ(plan.bucket_for(1), std::nullopt);
  EXPECT_EQ(plan.bucket_for(100), 100);
  EXPECT_EQ(plan.bucket_for(101), std::nullopt);
}

TEST(PlanBuckets, KeepsWithinItsMemory) {
  const Histogram requests = {{10, 1000}, {20, 100}};
  const SizeCosts costs = linear_costs(0, 100, 0, 10, 0, 8);

  EXPECT_EQ(plan_buckets(requests, costs, 240).bytes, 160u);
  EXPECT_EQ(plan_buckets(requests, costs, 100).buckets, (std::vector<PlannedBucket>{{10, 10}}));
  EXPECT_TRUE(plan_buckets(requests, costs, 79).buckets.empty());
}

TEST(PlanBuckets, OfNoRequestsIsEmpty) {
  const SizeCosts costs = linear_costs(1, 2, 3, 1, 1);

  EXPECT_TRUE(plan_buckets({}, costs).buckets.empty());
  EXPECT_TRUE(plan_buckets({{3, 0}}, costs).buckets.empty());
  EXPECT_EQ(plan_buckets({}, costs).microseconds, 0.0);
}

TEST(PlanBuckets, RefusesWhatIsNoRequestAndNoCost) {
  const SizeCosts costs = linear_costs(1, 2, 3, 1, 1);

  EXPECT_THROW(plan_buckets({{0, 1}}, costs), UsageError);
  EXPECT_THROW(plan_buckets({{1, -1}}, costs), UsageError);
  EXPECT_THROW(plan_buckets({{1, 1}}, linear_costs(std::nan(""), 2, 3, 1, 1)), UsageError);
}

// Every set of buckets that fits, each request served by the smallest bucket that holds it or as it
// is, whichever is quicker.
double least_time_by_trying_all(const Histogram& requests, const SizeCosts& costs,
                                std::size_t memory) {
  const std::vector<std::pair<std::int64_t, std::int64_t>> sizes(requests.begin(), requests.end());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t set = 0; set < std::size_t{1} << sizes.size(); ++set) {
    double time = 0;
    std::size_t bytes = 0;
    double replay = std::numeric_limits<double>::infinity();
    for (std::size_t i = sizes.size(); i-- > 0;) {
      const auto [rows, count] = sizes[i];
      if ((set >> i & 1) != 0) {
        replay = costs.replay(rows);
        time += costs.capture(rows);
        bytes += costs.bytes(rows);
      }
      time += static_cast<double>(count) * std::min(replay, costs.eager(rows));
    }
    if (bytes <= memory) least = std::min(least, time);
  }
  return least;
}

double time_of(const BucketPlan& plan, const Histogram& requests, const SizeCosts& costs) {
  double time = 0;
  for (const PlannedBucket& bucket : plan.buckets) time += costs.capture(bucket.rows);
  for (const auto& [rows, count] : requests) {
    const auto bucket = plan.bucket_for(rows);
    time += static_cast<double>(count) * (bucket ? costs.replay(*bucket) : costs.eager(rows));
  }
  return time;
}

TEST(PlanBuckets, IsAsGoodAsTheBestOfAllSets) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    support::Random random(seed);
    Histogram requests;
    for (int i = 0; i < 9; ++i) requests[random.between(1, 40)] = random.between(1, 60);
    const auto number = [&](int most) { return static_cast<double>(random.between(0, most)); };
    const SizeCosts costs = linear_costs(number(300), number(30), number(2), number(20), number(2));
    const auto memory = static_cast<std::size_t>(random.between(0, 120));

    const BucketPlan plan = plan_buckets(requests, costs, memory);

    EXPECT_NEAR(plan.microseconds, least_time_by_trying_all(requests, costs, memory), 1e-9)
        << "seed " << seed;
    EXPECT_NEAR(plan.microseconds, time_of(plan, requests, costs), 1e-9) << "seed " << seed;
    EXPECT_LE(plan.bytes, memory);
    EXPECT_LE(plan.microseconds, plan.eager_microseconds);
  }
}

}  // namespace
}  // namespace gyre::dispatch
