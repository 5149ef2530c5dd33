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
class PlannedSteps : public Steps<T> {
 public:
  explicit PlannedSteps(Workspace<T>& workspace)
      : Steps<T>(workspace),
        d_(workspace.s.vector("d")),
        d_next_(workspace.s.vector("d_next")),
        q_(workspace.s.a->has_rows() ? d_ : workspace.s.vector("q")) {}

  void start() final {
    const auto alpha = first_step();
    const Workspace<T>& w = this->w();
    w.m->apply(w.r);
    w.p.foreach(0, w.s.n, [&](const Index& i) { d_[i] = as<T>(alpha) * w.m->element(w.r, i); });
  }

  void trip() final {
    const Workspace<T>& w = this->w();
    const std::pair<Real, Real> step = next_step();
    w.s.a->for_each_product(d_, q_, [&](const Index& i, const Element<T>& product) {
      w.y[i] += d_[i];
      w.r[i] -= product;
    });
    w.rr = dot(w.s.n, elements_of(w.r), elements_of(w.r));
    w.m->apply(w.r);
    w.p.foreach(0, w.s.n, [&](const Index& i) {
      d_next_[i] = as<T>(step.first) * w.m->element(w.r, i) + as<T>(step.second) * d_[i];
    });
    w.s.copy(d_, d_next_);
    w.s.count_trip(builder::constant<bool>(true), sqrt(w.rr));
  }

 protected:
  /// α of the first d = α M⁻¹r.
  virtual Real first_step() = 0;
  /// α and β of the d after this trip's.
  virtual std::pair<Real, Real> next_step() = 0;

 private:
  Vector<T> d_;
  Vector<T> d_next_;
  Vector<T> q_;
};

}  // namespace gyre::solvers
