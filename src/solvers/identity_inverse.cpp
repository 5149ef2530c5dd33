#include "approximate_inverse.hpp"

namespace gyre::solvers {
namespace {

template <class T>
class Identity final : public ApproximateInverse<T> {
 public:
  bool is_identity() const override { return true; }
  bool is_diagonal() const override { return true; }
  Element<T> element(const Vector<T>& r, const Index& i) const override { return r[i]; }
};

}  // namespace

template <class T>
MadeInverse<T> make_identity(const LinearSystem<T>&, const Variant&) {
  return std::make_unique<Identity<T>>();
}

template MadeInverse<float> make_identity(const LinearSystem<float>&, const Variant&);
template MadeInverse<double> make_identity(const LinearSystem<double>&, const Variant&);

}  // namespace gyre::solvers
