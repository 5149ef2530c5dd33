#include "approximate_inverse.hpp"
#include "coloured_sweeps.hpp"

namespace gyre::solvers {
namespace {

// M = (D/ω + L) (ω/(2 − ω)) D⁻¹ (D/ω + U), of A = L + D + U with its rows in the order of their
// colours: what a trip of successive over-relaxation through the colours and one back make of 0.
// For symmetric positive definite A and 0 < ω < 2 so is M. D. M. Young, 1954; Saad, section 10.2.
template <class T>
class SsorInverse final : public StoredInverse<T> {
 public:
  SsorInverse(const LinearSystem<T>& system, const Variant& variant)
      : StoredInverse<T>(system), sweeps_(system, variant) {}

 private:
  using StoredInverse<T>::s;

  void compute(const Vector<T>& r, const Vector<T>& z) const override {
    const auto last = sweeps_.last_of_several();
    // Both times the last colour meets the same residual: ω + ω (1 − ω) steps in one.
    const auto twice = [&](const Index&, const Element<T>& correction) {
      return (2.0 - sweeps_.relaxation()) * correction;
    };
    if (last) {
      begin(r, z);
    } else {
      s().program.foreach(0, s().n,
                          [&](const Index& i) { z[i] = twice(i, sweeps_.correction(r[i], i)); });
    }
    sweeps_.rise(1, 1, [&](const Index& colour) {
      sweeps_.relax(colour, r, z,
                    [](const Index&, const Element<T>& correction) { return correction; });
    });
    if (last) sweeps_.relax(*last, r, z, twice);
    sweeps_.fall(1, [&](const Index& colour) {
      sweeps_.relax(colour, r, z, [&](const Index& i, const Element<T>& correction) {
        return z[i] + correction;
      });
    });
  }

  // The first colour, and 0 for the others.
  void begin(const Vector<T>& r, const Vector<T>& z) const {
    builder::Program& p = s().program;
    const auto end =
        p.let("end_of_first", sweeps_.rows().begin_of(builder::constant<std::int64_t>(1)));
    p.foreach(builder::range("place", 0, s().n), builder::independent, [&](const Index& place) {
      const auto i = p.let("i", sweeps_.rows().row(place));
      scatter(z[i]) = select(place < end, sweeps_.correction(r[i], i), 0.0);
    });
  }

  ColouredSweeps<T> sweeps_;
};

}  // namespace

template <class T>
MadeInverse<T> make_ssor_inverse(const LinearSystem<T>& s, const Variant& variant) {
  return std::make_unique<SsorInverse<T>>(s, variant);
}

template MadeInverse<float> make_ssor_inverse(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_ssor_inverse(const LinearSystem<double>&, const Variant&);

}  // namespace gyre::solvers
