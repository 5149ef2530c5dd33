/// The books of a cache of shapes: what it holds, in which order it was used, and how often what it
/// does not hold was asked for.
///
/// Leaves out the things themselves and the threads that ask (shape_cache.hpp).
#pragma once

#include "gyre/dispatch/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <optional>

namespace gyre::dispatch {

struct CacheLimits {
  /// What all things together may hold.
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  /// How many requests of a shape run eagerly before it is made ready, as `break_even` says; none:
  /// it never is. Without a function every shape is made at its first request.
  std::function<std::optional<std::int64_t>(const Shape&)> worth_after = {};
  /// Of so many shapes that are not held requests are counted. Past that all counts are halved, and
  /// shapes without one are forgotten.
  std::size_t counted_shapes = std::size_t{1} << 16;
};

/// What became of all requests so far, and what is held now.
struct CacheCounts {
  std::uint64_t hits = 0;
  std::uint64_t made = 0;
  /// Ran eagerly, since the shape had not been asked for often enough.
  std::uint64_t eager = 0;
  /// Made and not kept, since what is in use left no room.
  std::uint64_t not_kept = 0;
  std::uint64_t evicted = 0;
  std::size_t things = 0;
  std::size_t bytes = 0;

  friend bool operator==(const CacheCounts&, const CacheCounts&) = default;
};

class ShapeLedger {
 public:
  explicit ShapeLedger(CacheLimits limits);

  const CacheLimits& limits() const { return limits_; }
  const CacheCounts& counts() const { return counts_; }

  /// A request of a shape that is held, or being made: it is the one used last.
  void hit(const Shape& shape);
  /// A request of a shape that is not: whether it has been asked for often enough to be made.
  bool is_worth_making(const Shape& shape);
  /// It is made, and held from now on; there is room.
  void keep(const Shape& shape, std::size_t bytes);
  /// It is made, and there is no room.
  void pass_on() { ++counts_.not_kept; }
  /// Until `bytes` more fit, calls `drop` on what is held, from what was used longest ago on; it
  /// says whether that went. Whether they fit.
  using Drop = std::function<bool(const Shape&)>;
  bool make_room(std::size_t bytes, const Drop& drop);
  /// Calls `drop` on all that is held.
  void drop_all(const Drop& drop);

 private:
  struct Held {
    Shape shape;
    std::size_t bytes;
  };
  bool fits(std::size_t bytes) const {
    return bytes <= limits_.bytes && counts_.bytes <= limits_.bytes - bytes;
  }
  void count(const Shape& shape);
  void drop_until(const std::function<bool()>& is_enough, const Drop& drop);

  CacheLimits limits_;
  CacheCounts counts_;
  /// From what was used longest ago to what was used last.
  std::list<Held> held_;
  std::map<Shape, std::list<Held>::iterator> places_;
  std::map<Shape, std::int64_t> requests_;
};

}  // namespace gyre::dispatch
