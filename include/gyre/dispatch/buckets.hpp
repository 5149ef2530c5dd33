/// Sizes that are made ready, so that a request of any other size runs in the next larger one and
/// its last rows are padding.
///
/// Leaves out which sizes to take (plan_buckets.hpp) and what runs in them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gyre::dispatch {

/// What requests of sizes 0, 1, 2, … rows are rounded up to.
class Buckets {
 public:
  Buckets() = default;
  /// In any order. UsageError for a size below 1, and for one that comes twice.
  explicit Buckets(std::vector<std::int64_t> sizes);

  /// Ascending.
  std::span<const std::int64_t> sizes() const& { return sizes_; }
  std::span<const std::int64_t> sizes() && = delete;

  /// The smallest bucket that holds `size` rows; none where it is larger than all: such a request
  /// runs as it is. UsageError for a size below 0.
  std::optional<std::int64_t> bucket_for(std::int64_t size) const;

 private:
  std::vector<std::int64_t> sizes_;
};

/// How much of what runs is padding.
struct Padding {
  /// Rows that were asked for, and rows that ran, of requests that a bucket holds.
  std::int64_t live = 0;
  std::int64_t slots = 0;
  /// Requests that no bucket holds.
  std::int64_t oversize = 0;

  /// The part of `slots` that is padding, from 0 to 1; 0 where nothing ran.
  double share() const;
};

/// Of requests of these sizes, one each.
Padding padding_of(const Buckets& buckets, std::span<const std::int64_t> requests);

}  // namespace gyre::dispatch
