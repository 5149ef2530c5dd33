#include "diagonal_inverse.hpp"

namespace gyre::solvers {

// SPAI-0: the diagonal M⁻¹ with the least ‖I − M⁻¹A‖ in the norm of Frobenius, m_i = a_ii / Σ_j
// a_ij². O. Bröker, M. J. Grote, "Sparse approximate inverse smoothers for geometric and algebraic
// multigrid", 2002.
template <class T>
MadeInverse<T> make_spai_inverse(const LinearSystem<T>& s, const Variant&) {
  return std::make_unique<DiagonalInverse<T>>(s, [&](const Index& i) {
    const auto diagonal = s.program.let("diagonal", diagonal_of(s, i));
    // As 1 / (a_ii Σ_j (a_ij / a_ii)²), whose squares neither overflow nor vanish.
    const auto squares = s.a->sum_row(
        i, [&](const Index&, const Element<T>& a) { return (a / diagonal) * (a / diagonal); });
    return 1.0 / (diagonal * squares);
  });
}

template MadeInverse<float> make_spai_inverse(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_spai_inverse(const LinearSystem<double>&, const Variant&);

}  // namespace gyre::solvers
