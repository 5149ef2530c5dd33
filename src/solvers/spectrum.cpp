#include "spectrum.hpp"

namespace gyre::solvers {
namespace {

constexpr std::int64_t power_trips = 12;
constexpr double power_margin = 1.2;

template <class T>
Real gershgorin_bound(const LinearSystem<T>& s, const ApproximateInverse<T>& m) {
  builder::Program& p = s.program;
  const Vector<T> sums = s.vector("row_sums");
  p.foreach(0, s.n, [&](const Index& i) {
    sums[i] = s.a->sum_row(i, [&](const Index&, const Element<T>& a) { return abs(a); });
  });
  return p.let("gershgorin",
               max(0, s.n, [&](const Index& i) { return abs(as<double>(m.element(sums, i))); }));
}

template <class T>
Real power_estimate(const LinearSystem<T>& s, const ApproximateInverse<T>& m) {
  builder::Program& p = s.program;
  const Vector<T> v = s.vector("power_v");
  const Vector<T> q = s.vector("power_q");
  const auto length = p.var("power_length", 1.0);
  // Something of every eigenvector, the same every time.
  p.foreach(0, s.n, [&](const Index& i) { v[i] = as<T>(1 + i * 7919 % 31); });
  p.for_(0, power_trips, [&](const auto&) {
    const auto before = p.let("before", sqrt(dot(s.n, elements_of(v), elements_of(v))));
    s.a->multiply(v, q);
    m.apply(q);
    const auto scaled = [&](const Index& i) {
      return as<double>(m.element(q, i)) / select(before > 0.0, before, 1.0);
    };
    p.foreach(0, s.n, [&](const Index& i) { v[i] = as<T>(scaled(i)); });
    length = sqrt(dot(s.n, elements_of(v), elements_of(v)));
  });
  return p.let("power", power_margin * length);
}

}  // namespace

template <class T>
Real largest_eigenvalue(const LinearSystem<T>& s, const ApproximateInverse<T>& m) {
  return m.is_diagonal() && s.a->has_rows() ? gershgorin_bound(s, m) : power_estimate(s, m);
}

template Real largest_eigenvalue(const LinearSystem<float>&, const ApproximateInverse<float>&);
template Real largest_eigenvalue(const LinearSystem<double>&, const ApproximateInverse<double>&);

}  // namespace gyre::solvers
