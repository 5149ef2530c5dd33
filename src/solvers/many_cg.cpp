#include "gyre/solvers/many_cg.hpp"

#include "many_rhs.hpp"

namespace gyre::solvers {
namespace {

// The trips while they are written down.
template <class T>
class ManyCg final : public ManyRhs<T> {
 public:
  ManyCg(builder::Program& program, const Variant& variant) : ManyRhs<T>(program, variant) {}

 private:
  using Base = ManyRhs<T>;
  using Base::a;
  using Base::active;
  using Base::breakdown;
  using Base::count;
  using Base::d;
  using Base::first_sums;
  using Base::for_each_piece;
  using Base::for_each_rhs;
  using Base::has_inverse;
  using Base::making_trips;
  using Base::may_go_on;
  using Base::n;
  using Base::p;
  using Base::parts;
  using Base::preconditioned;
  using Base::r;
  using Base::rr;
  using Base::rz;
  using Base::second_sums;
  using Base::store_sums_of_r;
  using Base::sum_piece;
  using Base::third_sums;
  using Base::total;
  using Base::trips;
  using Base::y;

  // What the curvature pᵀA p makes of a trip.
  Code breakdown_of(const Index& s, const Real& curvature) const {
    return select(!is_finite(curvature) || !is_finite(rz[s]), code(Reason::NanOrInf),
                  select(curvature > 0.0 && rz[s] > 0.0, builder::constant<std::int32_t>(going),
                         code(Reason::Indefinite)));
  }

  void trip() override {
    // q = A p
    for_each_piece(making_trips(), [&](const Index& s, const Index& part, const Index& rows) {
      p.foreach(0, rows, [&](const Index& local) {
        q.at(s, part, local) =
            a->sum_row(part * rows_of_a_piece + local,
                       [&](const Index& j, const Element<T>& entry) { return entry * d(s, j); });
      });
      third_sums(s, part) = sum_piece(rows, [&](const Index& local) {
        return as<double>(Element<T>(d.at(s, part, local))) *
               as<double>(Element<T>(q.at(s, part, local)));
      });
    });

    // α = rᵀz / pᵀA p,  y += α p,  r −= α q
    for_each_piece(making_trips(), [&](const Index& s, const Index& part, const Index& rows) {
      const auto curvature = p.let("curvature", total(third_sums, s));
      const auto is_trip = is_going(breakdown_of(s, curvature));
      const auto alpha = p.let("alpha", select(is_trip, rz[s] / curvature, 0.0));
      p.foreach(0, rows, [&](const Index& local) {
        y.at(s, part, local) += as<T>(alpha) * d.at(s, part, local);
        r.at(s, part, local) -= as<T>(alpha) * q.at(s, part, local);
      });
      store_sums_of_r(s, part, rows);
    });

    // β = new rᵀz / old rᵀz
    for_each_rhs(making_trips(), [&](const Index& s) {
      const auto told = p.let("told", breakdown_of(s, p.let("curvature", total(third_sums, s))));
      const auto is_trip = p.let("is_trip", is_going(told));
      const auto square = p.let("square", total(first_sums, s));
      const auto next = p.let("next", has_inverse() ? total(second_sums, s) : square);
      const auto made =
          p.let("made", trips[s] + select(is_trip, builder::constant<std::int64_t>(1), 0));
      beta[s] = next / rz[s];
      rz[s] = select(is_trip, next, rz[s]);
      rr[s] = square;
      breakdown[s] = told;
      trips[s] = made;
      active[s] = select(may_go_on(s, square, made), builder::constant<std::int32_t>(1), 0);
    });

    turn();
  }

  // p = z + β p
  void turn() {
    p.foreach(
        builder::range(0, count) * builder::range(0, parts) * builder::range(0, rows_of_a_piece),
        [&](const Index& s, const Index& part, const Index& local) {
          const Index i = part * rows_of_a_piece + local;
          p.if_(active[s] != 0 && i < n, [&] {
            d.at(s, part, local) =
                preconditioned(r.at(s, part, local), i) + as<T>(beta[s]) * d.at(s, part, local);
          });
        });
  }

  builder::Buffer<double> beta = p.template temp<double>("beta", {count});
  Pieces<T> q{p.template temp<T>("q", {count, parts, rows_of_a_piece})};
};

}  // namespace

ir::Program make_many_cg(const Variant& variant) {
  builder::Program p("many_cg");
  if (works_in_f32(variant)) {
    ManyCg<float>(p, variant).build();
  } else {
    ManyCg<double>(p, variant).build();
  }
  return p.finish();
}

}  // namespace gyre::solvers
