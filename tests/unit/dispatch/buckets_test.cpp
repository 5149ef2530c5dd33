#include "gyre/dispatch/buckets.hpp"

#include "gyre/base/error.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace gyre::dispatch {
namespace {

TEST(Buckets, ARequestTakesTheSmallestThatHoldsIt) {
  const Buckets buckets({8, 1, 4, 2});

  for (const std::int64_t bucket : {1, 2, 4, 8}) {
    EXPECT_EQ(buckets.bucket_for(bucket), bucket);
  }
  EXPECT_EQ(buckets.bucket_for(3), 4);
  EXPECT_EQ(buckets.bucket_for(5), 8);
  EXPECT_EQ(buckets.bucket_for(7), 8);
  EXPECT_EQ(buckets.bucket_for(0), 1);
  EXPECT_EQ(buckets.bucket_for(9), std::nullopt);
}

TEST(Buckets, WithoutAnyEveryRequestRunsAsItIs) {
  EXPECT_EQ(Buckets().bucket_for(1), std::nullopt);
}

TEST(Buckets, RefusesWhatIsNoBucketAndNoRequest) {
  EXPECT_THROW(Buckets({4, 0}), UsageError);
  EXPECT_THROW(Buckets({-1}), UsageError);
  EXPECT_THROW(Buckets({4, 2, 4}), UsageError);
  EXPECT_THROW(Buckets({4}).bucket_for(-1), UsageError);
}

TEST(Padding, IsWhatRunsBeyondWhatWasAskedFor) {
  const std::vector<std::int64_t> batches = {1, 3, 5, 8};

  const Padding coarse = padding_of(Buckets({1, 2, 4, 8}), batches);
  const Padding fine = padding_of(Buckets({1, 2, 4, 5, 8}), batches);

  EXPECT_EQ(coarse.live, 17);
  EXPECT_EQ(coarse.slots, 21);
  EXPECT_NEAR(coarse.share(), 0.190, 5e-4);
  EXPECT_EQ(fine.slots, 18);
  EXPECT_NEAR(fine.share(), 0.056, 5e-4);
}

TEST(Padding, OfOversizeRequestsIsNotCounted) {
  const Padding padding = padding_of(Buckets({4}), std::vector<std::int64_t>{3, 5});

  EXPECT_EQ(padding.slots, 4);
  EXPECT_EQ(padding.oversize, 1);
  EXPECT_EQ(padding_of(Buckets(), std::vector<std::int64_t>{}).share(), 0.0);
}

}  // namespace
}  // namespace gyre::dispatch
