/// The words in which programs of solvers are written: vectors of `T`, which is f32 or f64, and
/// scalars, which are f64 whatever `T` is.
///
/// So a dot product of f32 vectors neither overflows nor loses what its terms have.
#pragma once

#include "gyre/builder/program.hpp"

#include <concepts>
#include <cstdint>
#include <optional>

namespace gyre::solvers {

using Real = builder::Value<double>;
using Index = builder::Value<std::int64_t>;
template <class T>
using Element = builder::Value<T>;

/// A buffer as a vector of a system: where a program solves many systems at once, the row of the
/// buffer that belongs to the one at hand.
template <class T>
class Vector : public builder::Buffer<T> {
 public:
  Vector(const builder::Buffer<T>& buffer)  // NOLINT: a buffer is a vector
      : builder::Buffer<T>(buffer) {}
  Vector(const builder::Buffer<T>& rows, const Index& system)
      : builder::Buffer<T>(rows), system_(system) {}

  builder::Place<T> operator[](const builder::GivenInteger& i) const {
    return system_ ? (*this)(*system_, i) : (*this)(i);
  }

 private:
  std::optional<Index> system_;
};

/// `value` as a `To`: itself where it is one.
template <class To, class From>
builder::Value<To> as(const builder::Value<From>& value) {
  if constexpr (std::same_as<To, From>) {
    return value;
  } else {
    return builder::cast<To>(value);
  }
}

/// A vector as the function of its elements, which `dot` takes.
template <class T>
auto elements_of(const Vector<T>& v) {
  return [v](const Index& i) { return Element<T>(v[i]); };
}

/// uᵀv of two vectors with elements u(i) and v(i).
template <class U, class V>
Real dot(const Index& n, const U& u, const V& v) {
  return sum(0, n, [&](const Index& i) { return as<double>(u(i)) * as<double>(v(i)); });
}

}  // namespace gyre::solvers
