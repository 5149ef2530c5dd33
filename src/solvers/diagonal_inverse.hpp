/// Preconditioners that multiply each element of r by a number of its own.
#pragma once

#include "approximate_inverse.hpp"

#include <functional>

namespace gyre::solvers {

/// M⁻¹ = diag(inverse), of which M⁻¹ r is a product that is never stored.
template <class T>
class DiagonalInverse final : public ApproximateInverse<T> {
 public:
  /// `inverse_of` gives element i; what is no number tells a row that has no usable diagonal.
  DiagonalInverse(const LinearSystem<T>& s,
                  const std::function<Element<T>(const Index& i)>& inverse_of)
      : inverse_(s.vector("inverse")) {
    s.program.foreach(0, s.n, [&](const Index& i) { inverse_[i] = inverse_of(i); });
    s.find_unusable_row(Reason::NoDiagonal, [&](const Index& i) { return is_finite(inverse_[i]); });
  }

  bool is_diagonal() const override { return true; }
  Element<T> element(const Vector<T>& r, const Index& i) const override { return times(r[i], i); }
  /// (M⁻¹)_ii value.
  Element<T> times(const Element<T>& value, const Index& i) const { return inverse_[i] * value; }

 private:
  Vector<T> inverse_;
};

/// a_ii; 0 where it is not stored.
template <class T>
Element<T> diagonal_of(const LinearSystem<T>& s, const Index& i) {
  return s.a->sum_row(i,
                      [&](const Index& j, const Element<T>& a) { return select(j == i, a, 0.0); });
}

}  // namespace gyre::solvers
