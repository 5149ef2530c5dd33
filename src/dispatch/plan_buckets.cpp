#include "gyre/dispatch/plan_buckets.hpp"

#include "gyre/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace gyre::dispatch {
namespace {

struct Size {
  std::int64_t rows;
  double count;
  double eager;
  double replay;
  double capture;
  std::size_t bytes;
};

/// A way to serve the first so many sizes: the last of them run in one bucket of the very last, or
/// that one runs as it is, and what stands in front is served in the best way.
struct Partial {
  std::size_t bytes = 0;
  double time = 0;
  bool has_bucket = false;
  /// How many sizes stand in front, and which of their partials it goes on from.
  std::size_t sizes_before = 0;
  std::size_t before = 0;
};

double cost_of(const std::function<double(std::int64_t)>& cost, std::int64_t rows) {
  const double microseconds = cost(rows);
  if (!(microseconds >= 0) || std::isinf(microseconds)) {
    throw UsageError("the cost of " + std::to_string(rows) + " rows is no number from 0 on");
  }
  return microseconds;
}

std::vector<Size> sizes_of(const Histogram& requests, const SizeCosts& costs) {
  std::vector<Size> sizes;
  for (const auto& [rows, count] : requests) {
    if (rows < 1) throw UsageError("a request of " + std::to_string(rows) + " rows");
    if (count < 0) {
      throw UsageError("requests of " + std::to_string(rows) + " rows come " +
                       std::to_string(count) + " times");
    }
    if (count == 0) continue;
    sizes.push_back({rows, static_cast<double>(count), cost_of(costs.eager, rows),
                     cost_of(costs.replay, rows), cost_of(costs.capture, rows), costs.bytes(rows)});
  }
  return sizes;
}

// Ascending in memory, descending in time: what takes more memory for no less time is dropped.
void keep_the_best(std::vector<Partial>& partials) {
  std::stable_sort(partials.begin(), partials.end(), [](const Partial& one, const Partial& other) {
    return one.bytes != other.bytes ? one.bytes < other.bytes : one.time < other.time;
  });
  std::vector<Partial> best;
  for (const Partial& partial : partials) {
    if (best.empty() || partial.time < best.back().time) best.push_back(partial);
  }
  partials = std::move(best);
}

using Table = std::vector<std::vector<Partial>>;

// partials[k] serves sizes[0 .. k).
Table all_partials(const std::vector<Size>& sizes, std::size_t memory) {
  Table partials(sizes.size() + 1);
  partials[0].push_back({});
  for (std::size_t end = 1; end <= sizes.size(); ++end) {
    const Size& last = sizes[end - 1];
    std::vector<Partial>& found = partials[end];
    const auto extend = [&](std::size_t first, bool has_bucket, double time, std::size_t bytes) {
      for (std::size_t i = 0; i < partials[first].size(); ++i) {
        const Partial& before = partials[first][i];
        if (bytes > memory - before.bytes) continue;
        found.push_back({before.bytes + bytes, before.time + time, has_bucket, first, i});
      }
    };
    extend(end - 1, false, last.count * last.eager, 0);
    double replays = last.capture;
    for (std::size_t first = end; first-- > 0;) {
      replays += sizes[first].count * last.replay;
      extend(first, true, replays, last.bytes);
    }
    keep_the_best(found);
  }
  return partials;
}

}  // namespace

std::optional<std::int64_t> BucketPlan::bucket_for(std::int64_t size) const {
  if (size < 0) throw UsageError("a request of " + std::to_string(size) + " rows");
  for (const PlannedBucket& bucket : buckets) {
    if (size > bucket.rows) continue;
    return size >= bucket.least ? std::optional(bucket.rows) : std::nullopt;
  }
  return std::nullopt;
}

Buckets BucketPlan::sizes() const {
  std::vector<std::int64_t> rows;
  for (const PlannedBucket& bucket : buckets) rows.push_back(bucket.rows);
  return Buckets(std::move(rows));
}

BucketPlan plan_buckets(const Histogram& requests, const SizeCosts& costs, std::size_t memory) {
  const std::vector<Size> sizes = sizes_of(requests, costs);
  const Table partials = all_partials(sizes, memory);
  BucketPlan plan;
  for (const Size& size : sizes) plan.eager_microseconds += size.count * size.eager;
  // The last is the quickest.
  const Partial* at = &partials.back().back();
  plan.microseconds = at->time;
  plan.bytes = at->bytes;
  for (std::size_t end = sizes.size(); end > 0;) {
    if (at->has_bucket) plan.buckets.push_back({sizes[end - 1].rows, sizes[at->sizes_before].rows});
    end = at->sizes_before;
    at = &partials[end][at->before];
  }
  std::reverse(plan.buckets.begin(), plan.buckets.end());
  return plan;
}

}  // namespace gyre::dispatch
