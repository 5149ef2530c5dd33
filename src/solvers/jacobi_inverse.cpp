#include "diagonal_inverse.hpp"

namespace gyre::solvers {

// M = diag(A). 1 / a is no number for a = 0, and for an a so small that it is no better. (A NaN
// ends the solve before anybody asks.)
template <class T>
MadeInverse<T> make_jacobi_inverse(const LinearSystem<T>& s, const Variant&) {
  return std::make_unique<DiagonalInverse<T>>(
      s, [&](const Index& i) { return 1.0 / diagonal_of(s, i); });
}

template MadeInverse<float> make_jacobi_inverse(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_jacobi_inverse(const LinearSystem<double>&, const Variant&);

}  // namespace gyre::solvers
