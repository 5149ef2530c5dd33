/// A seeded source of choices, the same on every machine and standard library.
#pragma once

#include "gyre/ir/value.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace gyre::support {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// A whole number in least..greatest, both included.
  std::int64_t between(std::int64_t least, std::int64_t greatest) {
    const auto choices = static_cast<std::uint64_t>(greatest - least) + 1;
    return least + static_cast<std::int64_t>(engine_() % choices);
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(between(0, std::ssize(from) - 1))];
  }

  /// A value of `type`: mostly small, often one at an edge (NaN, infinities, -0, limits).
  ir::Value value(ir::ScalarType type);
  /// One of the types that values have.
  ir::ScalarType value_type();
  /// One of the types that elements have.
  ir::ScalarType element_type();

 private:
  std::mt19937_64 engine_;
};

}  // namespace gyre::support
