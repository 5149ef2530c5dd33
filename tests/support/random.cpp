#include "support/random.hpp"

#include <limits>
#include <type_traits>

namespace gyre::support {
namespace {

template <class T>
const std::vector<T>& edges() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    static const std::vector<T> floats = {Limits::quiet_NaN(),
                                          Limits::infinity(),
                                          -Limits::infinity(),
                                          T{-0.0},
                                          Limits::max(),
                                          Limits::lowest(),
                                          Limits::min(),
                                          Limits::denorm_min(),
                                          Limits::epsilon(),
                                          static_cast<T>(65520),
                                          static_cast<T>(2147483648.0),
                                          static_cast<T>(-9223372036854775808.0)};
    return floats;
  } else {
    static const std::vector<T> integers = {Limits::max(), Limits::min(), T{-1}, T{31}, T{64}};
    return integers;
  }
}

}  // namespace

ir::Value Random::value(ir::ScalarType type) {
  return ir::dispatch(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, bool>) {
      return ir::Value(chance(50));
    } else {
      if (chance(12)) return ir::Value(pick(edges<T>()));
      const auto small = static_cast<T>(between(-9, 9));
      if constexpr (std::is_floating_point_v<T>) {
        if (chance(60)) return ir::Value(static_cast<T>(between(-100000, 100000)) / T{777});
      }
      return ir::Value(small);
    }
  });
}

ir::ScalarType Random::value_type() {
  using enum ir::ScalarType;
  static const std::vector<ir::ScalarType> types = {Bool, I32, I32, I64, F32, F64, F64};
  return pick(types);
}

ir::ScalarType Random::element_type() {
  using enum ir::ScalarType;
  static const std::vector<ir::ScalarType> types = {Bool, I32, I64, F32, F64, F64, F16, BF16};
  return pick(types);
}

}  // namespace gyre::support
