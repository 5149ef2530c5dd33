/// How many random cases a property test tries, and from which on.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

namespace gyre::support {

/// The number in the environment variable `variable`, else `otherwise`.
inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Calls `check(seed)` for each program of this run until one fails. GYRE_PROPERTY_SEED is the
/// first seed and GYRE_PROPERTY_COUNT how many there are.
template <class Check>
void for_each_seed(Check check) {
  const std::uint64_t first = number_from("GYRE_PROPERTY_SEED", 1);
  const std::uint64_t count = number_from("GYRE_PROPERTY_COUNT", 10'000);
  std::cout << "GYRE_PROPERTY_SEED=" << first << " GYRE_PROPERTY_COUNT=" << count << '\n';
  for (std::uint64_t i = 0; i < count && !::testing::Test::HasFailure(); ++i) check(first + i);
}

}  // namespace gyre::support
