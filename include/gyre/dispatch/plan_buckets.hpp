/// Which sizes to make ready, from the sizes that are asked for, what they cost, and the memory
/// there is.
#pragma once

#include "gyre/dispatch/buckets.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>

namespace gyre::dispatch {

/// How often each size is asked for in the time that is planned for.
using Histogram = std::map<std::int64_t, std::int64_t>;

/// What a size costs: measured, or a model's.
struct SizeCosts {
  /// Microseconds of making a bucket of so many rows ready, and of running it, padding included.
  std::function<double(std::int64_t rows)> capture;
  std::function<double(std::int64_t rows)> replay;
  /// Microseconds of a request of so many rows that runs as it is. It must not fall with the rows.
  std::function<double(std::int64_t rows)> eager;
  /// Memory that a bucket holds as long as it is ready.
  std::function<std::size_t(std::int64_t rows)> bytes;
};

/// A bucket, and the smallest request that is worth its padding: below that, eager runs are
/// quicker.
struct PlannedBucket {
  std::int64_t rows = 0;
  std::int64_t least = 0;

  friend bool operator==(const PlannedBucket&, const PlannedBucket&) = default;
};

struct BucketPlan {
  /// Ascending; requests that none of them takes run as they are.
  std::vector<PlannedBucket> buckets;
  /// Of all requests, with the buckets, the making of them included, and without any.
  double microseconds = 0;
  double eager_microseconds = 0;
  std::size_t bytes = 0;

  /// The rows of the bucket that takes a request of `size` rows; none: it runs as it is.
  std::optional<std::int64_t> bucket_for(std::int64_t size) const;
  Buckets sizes() const;
};

/// The plan that takes the least time of all whose buckets fit into `memory` bytes together; of
/// several such one with the least memory. Exact, by dynamic programming over the sizes asked for,
/// ascending: each either runs as it is or ends the range of sizes that one bucket takes. Only
/// sizes that are asked for can be buckets, since a larger one costs more than the largest request
/// in it. UsageError for a size below 1 or a count below 0, and for a cost that is none.
BucketPlan plan_buckets(const Histogram& requests, const SizeCosts& costs,
                        std::size_t memory = std::numeric_limits<std::size_t>::max());

}  // namespace gyre::dispatch
