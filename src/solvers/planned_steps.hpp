/// Methods whose steps need no product of vectors: what they are is known ahead.
#pragma once

#include "true_residual_loop.hpp"

#include <utility>

namespace gyre::solvers {

/// One sweep a trip, with ‖r‖ for the stop test:
///
///     y += d,  r −= A d,  d = α M⁻¹r + β d
///
/// d' is written beside d, which products gather, and the two change places.
template <class T>
class PlannedSteps : public Method<T> {
 public:
  explicit PlannedSteps(Workspace<T>& workspace)
      : Method<T>(workspace),
        d_(workspace.s.vector("d")),
        d_next_(workspace.s.vector("d_next")),
        q_(workspace.s.a->has_rows() ? d_ : workspace.s.vector("q")) {}

  void start() final {
    const auto alpha = first_step();
    const auto& [p, s, m, r] = parts();
    m.apply(r);
    p.foreach(0, s.n, [&](const Index& i) { d_[i] = as<T>(alpha) * m.element(r, i); });
  }

  void trip() final {
    const auto& [p, s, m, r] = parts();
    const auto [alpha, beta] = next_step();
    s.a->for_each_product(d_, q_, [&](const Index& i, const Element<T>& product) {
      this->w().y[i] += d_[i];
      r[i] -= product;
    });
    this->w().rr = dot(s.n, elements_of(r), elements_of(r));
    m.apply(r);
    p.foreach(0, s.n, [&](const Index& i) {
      d_next_[i] = as<T>(alpha) * m.element(r, i) + as<T>(beta) * d_[i];
    });
    p.copy(d_, d_next_);
    s.count_trip(builder::constant<bool>(true), sqrt(this->w().rr));
  }

 protected:
  /// α of the first d = α M⁻¹r.
  virtual Real first_step() = 0;
  /// α and β of the d after this trip's.
  virtual std::pair<Real, Real> next_step() = 0;

 private:
  auto parts() const { return std::tie(this->w().p, this->w().s, *this->w().m, this->w().r); }

  Vector<T> d_;
  Vector<T> d_next_;
  Vector<T> q_;
};

}  // namespace gyre::solvers
