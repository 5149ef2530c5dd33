#include "gyre/dispatch/buckets.hpp"

#include "gyre/base/error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gyre::dispatch {

Buckets::Buckets(std::vector<std::int64_t> sizes) : sizes_(std::move(sizes)) {
  std::sort(sizes_.begin(), sizes_.end());
  if (!sizes_.empty() && sizes_.front() < 1) {
    throw UsageError("a bucket of " + std::to_string(sizes_.front()) +
                     " rows holds nothing; buckets have 1 or more");
  }
  const auto twice = std::adjacent_find(sizes_.begin(), sizes_.end());
  if (twice != sizes_.end()) {
    throw UsageError("the bucket of " + std::to_string(*twice) + " rows is named twice");
  }
}

std::optional<std::int64_t> Buckets::bucket_for(std::int64_t size) const {
  if (size < 0) throw UsageError("a request of " + std::to_string(size) + " rows");
  const auto found = std::lower_bound(sizes_.begin(), sizes_.end(), size);
  return found == sizes_.end() ? std::nullopt : std::optional(*found);
}

double Padding::share() const {
  return slots == 0 ? 0.0 : static_cast<double>(slots - live) / static_cast<double>(slots);
}

Padding padding_of(const Buckets& buckets, std::span<const std::int64_t> requests) {
  Padding padding;
  for (const std::int64_t request : requests) {
    const auto bucket = buckets.bucket_for(request);
    if (!bucket) {
      ++padding.oversize;
      continue;
    }
    padding.live += request;
    padding.slots += *bucket;
  }
  return padding;
}

}  // namespace gyre::dispatch
