#include "diagonal_inverse.hpp"
#include "spectrum.hpp"

#include <vector>

namespace gyre::solvers {
namespace {

// M⁻¹ is a polynomial of D⁻¹A, with D = diag(A), times D⁻¹: what so many trips of the Chebyshev
// iteration (Saad, algorithm 12.1) make of r from 0 on. Symmetric positive definite where A is.
template <class T>
class ChebyshevInverse final : public StoredInverse<T> {
 public:
  ChebyshevInverse(const LinearSystem<T>& system, std::int64_t degree)
      : StoredInverse<T>(system),
        d_(system.vector("poly_d")),
        other_(system.vector("poly_z")),
        q_(system.a->has_rows() ? d_ : system.vector("poly_q")),
        diagonal_(system, [&](const Index& i) { return inverse_diagonal(system, i); }) {
    plan_steps(degree);
  }

 private:
  using StoredInverse<T>::s;

  // d = α D⁻¹(r − A z) + β d
  struct Step {
    Real alpha;
    Real beta;
  };

  // Without rows, D = I.
  static Element<T> inverse_diagonal(const LinearSystem<T>& system, const Index& i) {
    if (!system.a->has_rows()) return builder::constant<T>(1.0);
    return 1.0 / diagonal_of(system, i);
  }

  void plan_steps(std::int64_t degree) {
    auto& p = s().program;
    const auto b = largest_eigenvalue(s(), diagonal_);
    const auto a = b / spectrum_ratio;
    const auto theta = p.let("poly_theta", (b + a) / 2.0);
    const auto delta = p.let("poly_delta", (b - a) / 2.0);
    std::vector<Real> rho = {p.let("poly_rho", delta / theta)};
    steps_.push_back({p.let("poly_alpha", 1.0 / theta), builder::constant<double>(0.0)});
    while (std::ssize(steps_) < degree) {
      const auto over = p.let("poly_over", 1.0 / (2.0 * theta - delta * rho.back()));
      steps_.push_back(
          {p.let("poly_alpha", 2.0 * over), p.let("poly_beta", delta * over * rho.back())});
      rho.push_back(p.let("poly_rho", delta * over));
    }
  }

  // z and the other one take turns, so that the last step writes z.
  void compute(const Vector<T>& r, const Vector<T>& z) const override {
    const auto written_by = [&](std::size_t step) -> const Vector<T>& {
      return (steps_.size() - step) % 2 == 1 ? z : other_;
    };
    s().program.foreach(0, s().n, [&](const Index& i) {
      d_[i] = as<T>(steps_[0].alpha) * diagonal_.element(r, i);
      written_by(0)[i] = d_[i];
    });
    for (std::size_t step = 1; step < steps_.size(); ++step) {
      const auto& from = written_by(step - 1);
      const auto& to = written_by(step);
      s().a->for_each_product(from, q_, [&](const Index& i, const Element<T>& product) {
        d_[i] = as<T>(steps_[step].alpha) * diagonal_.times(r[i] - product, i) +
                as<T>(steps_[step].beta) * d_[i];
        to[i] = from[i] + d_[i];
      });
    }
  }

  Vector<T> d_;
  Vector<T> other_;
  Vector<T> q_;
  DiagonalInverse<T> diagonal_;
  std::vector<Step> steps_;
};

}  // namespace

template <class T>
MadeInverse<T> make_chebyshev_inverse(const LinearSystem<T>& system, const Variant& variant) {
  return std::make_unique<ChebyshevInverse<T>>(system, variant.degree);
}

template MadeInverse<float> make_chebyshev_inverse(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_chebyshev_inverse(const LinearSystem<double>&, const Variant&);

}  // namespace gyre::solvers
