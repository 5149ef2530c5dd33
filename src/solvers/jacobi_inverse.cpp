#include "approximate_inverse.hpp"

#include <limits>

namespace gyre::solvers {
namespace {

// M = diag(A): 1 / a_ii, of which M⁻¹ r is a product that is never stored.
template <class T>
class JacobiInverse final : public ApproximateInverse<T> {
 public:
  explicit JacobiInverse(const LinearSystem<T>& s) : inverse_(s.vector("inverse")) {
    s.program.foreach(0, s.n, [&](const Index& i) {
      const auto diagonal = s.a->sum_row(
          i, [&](const Index& j, const Element<T>& a) { return select(j == i, a, 0.0); });
      inverse_[i] = 1.0 / diagonal;
    });
    // 1 / a is no number for a = 0, and for an a so small that it is no better. (A NaN ends the
    // solve before anybody asks.)
    const auto none = builder::constant<std::int64_t>(std::numeric_limits<std::int64_t>::max());
    s.row_without_diagonal =
        min(0, s.n, [&](const Index& i) { return select(is_finite(inverse_[i]), none, i); });
  }

  bool is_diagonal() const override { return true; }
  Element<T> element(const Vector<T>& r, const Index& i) const override {
    return inverse_[i] * r[i];
  }

 private:
  Vector<T> inverse_;
};

}  // namespace

template <class T>
MadeInverse<T> make_jacobi_inverse(const LinearSystem<T>& system, const Variant&) {
  return std::make_unique<JacobiInverse<T>>(system);
}

template MadeInverse<float> make_jacobi_inverse(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_jacobi_inverse(const LinearSystem<double>&, const Variant&);

}  // namespace gyre::solvers
