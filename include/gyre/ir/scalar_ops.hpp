/// The one meaning of each operator and conversion on C++ values, for host and device alike.
///
/// Plain C++ that g++, nvcc and NVRTC compile to the same bits (contraction off, IEEE division and
/// root, no flush to zero). Nothing here has undefined behaviour for any operand. Leaves out which
/// operands an operator takes (op.def) and lazy evaluation (`&&`, `||`, `select` choose in the
/// evaluator; here both sides are at hand).
#pragma once

#include "gyre/ir/host_device.hpp"
#include "gyre/ir/random_ops.hpp"

namespace gyre::ops {

template <class T>
inline constexpr bool is_float = false;
template <>
inline constexpr bool is_float<float> = true;
template <>
inline constexpr bool is_float<double> = true;

/// The unsigned type in which an integer's arithmetic wraps.
template <class T>
struct Wrapping {
  using type = T;
};
template <>
struct Wrapping<int> {
  using type = unsigned;
};
template <>
struct Wrapping<long> {
  using type = unsigned long;
};
template <>
struct Wrapping<long long> {
  using type = unsigned long long;
};
template <class T>
using wrapping_t = typename Wrapping<T>::type;

template <class T>
inline constexpr T least_integer = static_cast<T>(static_cast<wrapping_t<T>>(1)
                                                  << (sizeof(T) * 8 - 1));

GYRE_HOST_DEVICE inline bool logical_or(bool a, bool b) {
  return a || b;
}
GYRE_HOST_DEVICE inline bool logical_and(bool a, bool b) {
  return a && b;
}
GYRE_HOST_DEVICE inline bool logical_not(bool a) {
  return !a;
}

template <class T>
GYRE_HOST_DEVICE bool eq(T a, T b) {
  return a == b;
}
template <class T>
GYRE_HOST_DEVICE bool ne(T a, T b) {
  return a != b;
}
template <class T>
GYRE_HOST_DEVICE bool lt(T a, T b) {
  return a < b;
}
template <class T>
GYRE_HOST_DEVICE bool le(T a, T b) {
  return a <= b;
}
template <class T>
GYRE_HOST_DEVICE bool gt(T a, T b) {
  return a > b;
}
template <class T>
GYRE_HOST_DEVICE bool ge(T a, T b) {
  return a >= b;
}

template <class T>
GYRE_HOST_DEVICE T bit_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
GYRE_HOST_DEVICE T bit_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
GYRE_HOST_DEVICE T bit_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
GYRE_HOST_DEVICE T bit_not(T a) {
  return static_cast<T>(~a);
}

template <class T>
GYRE_HOST_DEVICE T shl(T a, T count) {
  using U = wrapping_t<T>;
  return static_cast<T>(static_cast<U>(a) << (static_cast<U>(count) & (sizeof(T) * 8 - 1)));
}
template <class T>
GYRE_HOST_DEVICE T shr(T a, T count) {
  return static_cast<T>(a >> (static_cast<wrapping_t<T>>(count) & (sizeof(T) * 8 - 1)));
}

template <class T>
GYRE_HOST_DEVICE T add(T a, T b) {
  return static_cast<T>(static_cast<wrapping_t<T>>(a) + static_cast<wrapping_t<T>>(b));
}
template <class T>
GYRE_HOST_DEVICE T sub(T a, T b) {
  return static_cast<T>(static_cast<wrapping_t<T>>(a) - static_cast<wrapping_t<T>>(b));
}
template <class T>
GYRE_HOST_DEVICE T mul(T a, T b) {
  return static_cast<T>(static_cast<wrapping_t<T>>(a) * static_cast<wrapping_t<T>>(b));
}
template <class T>
GYRE_HOST_DEVICE T neg(T a) {
  if constexpr (is_float<T>) {
    return -a;
  } else {
    return static_cast<T>(wrapping_t<T>{0} - static_cast<wrapping_t<T>>(a));
  }
}
template <class T>
GYRE_HOST_DEVICE T div(T a, T b) {
  if constexpr (is_float<T>) {
    return a / b;
  } else {
    if (b == 0) return 0;
    if (b == -1) return neg(a);
    return a / b;
  }
}
template <class T>
GYRE_HOST_DEVICE T rem(T a, T b) {
  if (b == 0 || b == -1) return 0;
  return a % b;
}

template <class T>
GYRE_HOST_DEVICE T select(bool condition, T a, T b) {
  return condition ? a : b;
}

GYRE_HOST_DEVICE inline bool sign_bit(float a) {
#ifdef __CUDA_ARCH__
  return __float_as_int(a) < 0;
#else
  return std::signbit(a);
#endif
}
GYRE_HOST_DEVICE inline bool sign_bit(double a) {
#ifdef __CUDA_ARCH__
  return __double_as_longlong(a) < 0;
#else
  return std::signbit(a);
#endif
}

template <class T>
GYRE_HOST_DEVICE bool is_nan(T a) {
  return a != a;
}
template <class T>
GYRE_HOST_DEVICE bool is_finite(T a) {
  return a - a == T{0};
}

/// Whether `a` comes strictly before `b` in the order of `min`: NaN first, then by value, -0.0
/// before 0.0. Two NaNs tie, so that argmin takes the first.
template <class T>
GYRE_HOST_DEVICE bool before_in_min(T a, T b) {
  if constexpr (is_float<T>) {
    if (a != a || b != b) return a != a && b == b;
    if (a == b) return sign_bit(a) && !sign_bit(b);
  }
  return a < b;
}
/// Whether `a` comes strictly before `b` in the order of `max`: NaN first, then the greater.
template <class T>
GYRE_HOST_DEVICE bool before_in_max(T a, T b) {
  if constexpr (is_float<T>) {
    if (a != a || b != b) return a != a && b == b;
    if (a == b) return !sign_bit(a) && sign_bit(b);
  }
  return a > b;
}
/// Whether `a` comes strictly before `b` in the order of `sort`: by value, -0.0 before 0.0, NaN
/// last.
template <class T>
GYRE_HOST_DEVICE bool before(T a, T b) {
  if constexpr (is_float<T>) {
    if (a == b) return sign_bit(a) && !sign_bit(b);
    return a < b || (b != b && a == a);
  }
  return a < b;
}
template <class T>
GYRE_HOST_DEVICE T min(T a, T b) {
  return before_in_min(b, a) ? b : a;
}
template <class T>
GYRE_HOST_DEVICE T max(T a, T b) {
  return before_in_max(b, a) ? b : a;
}

template <class T>
GYRE_HOST_DEVICE T abs(T a) {
  if constexpr (is_float<T>) {
    return GYRE_MATH(fabs)(a);
  } else {
    return a < 0 ? neg(a) : a;
  }
}
template <class T>
GYRE_HOST_DEVICE T sqrt(T a) {
  return GYRE_MATH(sqrt)(a);
}
template <class T>
GYRE_HOST_DEVICE T rsqrt(T a) {
  return T{1} / GYRE_MATH(sqrt)(a);
}
template <class T>
GYRE_HOST_DEVICE T round(T a) {
  return GYRE_MATH(rint)(a);
}
template <class T>
GYRE_HOST_DEVICE T atan2(T a, T b) {
  return GYRE_MATH(atan2)(a, b);
}
template <class T>
GYRE_HOST_DEVICE T pow(T a, T b) {
  return GYRE_MATH(pow)(a, b);
}

#define GYRE_UNARY_MATH(name)    \
  template <class T>             \
  GYRE_HOST_DEVICE T name(T a) { \
    return GYRE_MATH(name)(a);   \
  }
GYRE_UNARY_MATH(floor)
GYRE_UNARY_MATH(ceil)
GYRE_UNARY_MATH(trunc)
GYRE_UNARY_MATH(exp)
GYRE_UNARY_MATH(exp2)
GYRE_UNARY_MATH(expm1)
GYRE_UNARY_MATH(log)
GYRE_UNARY_MATH(log2)
GYRE_UNARY_MATH(log1p)
GYRE_UNARY_MATH(sin)
GYRE_UNARY_MATH(cos)
GYRE_UNARY_MATH(tan)
GYRE_UNARY_MATH(asin)
GYRE_UNARY_MATH(acos)
GYRE_UNARY_MATH(atan)
GYRE_UNARY_MATH(sinh)
GYRE_UNARY_MATH(cosh)
GYRE_UNARY_MATH(tanh)
GYRE_UNARY_MATH(erf)
GYRE_UNARY_MATH(erfc)
#undef GYRE_UNARY_MATH

/// The conversion `To(from)`: to bool, whether it is not 0 (NaN is not 0); from a float to an
/// integer towards zero, saturating, NaN gives 0; integers wrap; to a float, rounded to nearest.
template <class To, class From>
GYRE_HOST_DEVICE To convert(From from) {
  if constexpr (sizeof(To) == 1) {
    return from != From{0};
  } else if constexpr (is_float<From> && !is_float<To>) {
    // 2^31 and 2^63 are floats themselves; every float below them converts without overflow.
    constexpr From limit =
        static_cast<From>(static_cast<wrapping_t<To>>(1) << (sizeof(To) * 8 - 1));
    if (from != from) return 0;
    if (from >= limit) return static_cast<To>(~static_cast<wrapping_t<To>>(least_integer<To>));
    if (from < -limit) return least_integer<To>;
    return static_cast<To>(from);
  } else {
    return static_cast<To>(from);
  }
}

/// A term of argmin or argmax: its value, and where it stands.
template <class T>
struct Located {
  T value;
  long long index;
};

/// The one that comes first in the order of `min`; of equals, the one of the smaller index.
template <class T>
GYRE_HOST_DEVICE Located<T> argmin(Located<T> a, Located<T> b) {
  if (before_in_min(a.value, b.value)) return a;
  if (before_in_min(b.value, a.value)) return b;
  return a.index <= b.index ? a : b;
}
/// The one that comes first in the order of `max`; of equals, the one of the smaller index.
template <class T>
GYRE_HOST_DEVICE Located<T> argmax(Located<T> a, Located<T> b) {
  if (before_in_max(a.value, b.value)) return a;
  if (before_in_max(b.value, a.value)) return b;
  return a.index <= b.index ? a : b;
}

/// How many indices `begin..end step step` holds: 0 where the step leads away from `end` or is 0.
GYRE_HOST_DEVICE inline unsigned long long range_extent(long long begin, long long end,
                                                        long long step) {
  using U = unsigned long long;
  if (step > 0 && begin < end) {
    return (static_cast<U>(end) - static_cast<U>(begin) - 1) / static_cast<U>(step) + 1;
  }
  if (step < 0 && begin > end) {
    return (static_cast<U>(begin) - static_cast<U>(end) - 1) / (U{0} - static_cast<U>(step)) + 1;
  }
  return 0;
}

template <class T>
GYRE_HOST_DEVICE T extent(T begin, T end, T step) {
  constexpr T greatest = static_cast<T>(~static_cast<wrapping_t<T>>(least_integer<T>));
  const unsigned long long count = range_extent(begin, end, step);
  return count > static_cast<unsigned long long>(greatest) ? greatest : static_cast<T>(count);
}

}  // namespace gyre::ops
