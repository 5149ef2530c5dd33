#include "many_rhs.hpp"

#include "gyre/base/error.hpp"
#include "true_residual_loop.hpp"

#include <limits>

namespace gyre::solvers {
namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

builder::Value<bool> everybody(const Index&) {
  return builder::constant<bool>(true);
}

}  // namespace

template <class T>
ManyRhs<T>::ManyRhs(builder::Program& program, const Variant& variant)
    : p(program),
      count(p.size("systems")),
      a(declare(*variant.matrix)),
      n(a->rows()),
      parts((n + (rows_of_a_piece - 1)) / rows_of_a_piece),
      kind_(variant.preconditioner),
      told_(p),
      b_(p.in<T>("b", {count, n})),
      x_(p.inout<T>("x", {count, n})),
      inverse_(p.temp<T>("inverse", {n})),
      unusable_(p.var("unusable", none)) {
  if (!a->has_rows()) throw UsageError("many right-hand sides need a matrix with rows");
  a->prepare();
}

template <class T>
std::unique_ptr<Operator<T>> ManyRhs<T>::declare(const Matrix& matrix) const {
  if constexpr (std::same_as<T, double>) {
    return matrix.declare_f64(p);
  } else {
    return matrix.declare_f32(p);
  }
}

template <class T>
void ManyRhs<T>::build() {
  begin();
  start_from_true_residual();
  p.while_(any(0, count, [&](const Index& s) { return is_going(reason[s]); }), [&] {
    p.while_(any(0, count, [&](const Index& s) { return active[s] != 0; }), [&] { trip(); });
    start_from_true_residual();
  });
}

template <class T>
void ManyRhs<T>::for_each_piece(const Holds& takes_part, const OfPiece& body) const {
  p.foreach(builder::range("s", 0, count) * builder::range("part", 0, parts), builder::Team::Block,
            [&](const Index& s, const Index& part) {
              p.if_(takes_part(s), [&] {
                const Index rows = min(builder::constant<std::int64_t>(rows_of_a_piece),
                                       n - part * rows_of_a_piece);
                body(s, part, p.let("rows", rows));
              });
            });
}

template <class T>
void ManyRhs<T>::for_each_rhs(const Holds& takes_part,
                              const std::function<void(const Index& s)>& body) const {
  p.foreach(builder::range("s", 0, count), builder::Team::Block,
            [&](const Index& s) { p.if_(takes_part(s), [&] { body(s); }); });
}

template <class T>
Real ManyRhs<T>::total(const Numbers& of, const Index& s) const {
  return sum(0, parts, [&](const Index& part) { return of(s, part); });
}

template <class T>
Element<T> ManyRhs<T>::preconditioned(const Element<T>& value, const Index& i) const {
  if (!has_inverse()) return value;
  return Element<T>(inverse_[i]) * value;
}

// 1 / a_ii, or as SPAI-0 has it (spai_inverse.cpp).
template <class T>
Element<T> ManyRhs<T>::inverse_of(const Index& i) const {
  const auto a_ii = p.let("a_ii", a->sum_row(i, [&](const Index& j, const Element<T>& entry) {
    return select(j == i, entry, builder::constant<T>(0));
  }));
  if (kind_ == Preconditioner::Jacobi) return 1.0 / a_ii;
  const auto squares = a->sum_row(
      i, [&](const Index&, const Element<T>& entry) { return (entry / a_ii) * (entry / a_ii); });
  return 1.0 / (a_ii * squares);
}

template <class T>
void ManyRhs<T>::invert() {
  if (!has_inverse()) return;
  p.foreach(0, n, [&](const Index& i) { inverse_[i] = inverse_of(i); });
  unusable_ = min(0, n, [&](const Index& i) {
    return select(is_finite(inverse_[i]), builder::constant<std::int64_t>(none), i);
  });
}

// The scale and the norm of each b; what has no b has no x.
template <class T>
void ManyRhs<T>::begin() {
  invert();
  for_each_piece(everybody, [&](const Index& s, const Index& part, const Index& rows) {
    first_sums(s, part) = as<double>(max(0, rows, [&](const Index& local) {
      return abs(Element<T>(b_(s, part * rows_of_a_piece + local)));
    }));
  });
  for_each_rhs(everybody, [&](const Index& s) {
    const auto largest = p.let(
        "largest", max(0, parts, [&](const Index& part) { return Real(first_sums(s, part)); }));
    scale[s] = scale_for<T>(largest);
    is_zero[s] = select(largest == 0.0, builder::constant<std::int32_t>(1), 0);
    last_norm[s] = std::numeric_limits<double>::max();
    unusable_row[s] = unusable_;
  });
  for_each_piece(everybody, [&](const Index& s, const Index& part, const Index& rows) {
    const auto scaled = [&](const Index& local) {
      return as<double>(Element<T>(b_(s, part * rows_of_a_piece + local))) / scale[s];
    };
    second_sums(s, part) =
        sum_piece(rows, [&](const Index& local) { return scaled(local) * scaled(local); });
  });
  p.foreach(builder::range(0, count) * builder::range(0, n), [&](const Index& s, const Index& i) {
    p.if_(is_zero[s] != 0, [&] { x_(s, i) = 0.0; });
  });
  for_each_rhs(everybody, [&](const Index& s) { norm_b[s] = sqrt(total(second_sums, s)); });
}

// x += scale y,  y = 0,  r = b − A x,  p = M⁻¹ r
template <class T>
void ManyRhs<T>::start_from_true_residual() {
  p.foreach(builder::range(0, count) * builder::range(0, n), [&](const Index& s, const Index& i) {
    p.if_(is_going(reason[s]),
          [&] { x_(s, i) += as<T>(scale[s] * as<double>(Element<T>(y(s, i)))); });
  });
  for_each_piece(going_on(), [&](const Index& s, const Index& part, const Index& rows) {
    p.foreach(0, rows, [&](const Index& local) {
      const Index i = part * rows_of_a_piece + local;
      const auto product = a->sum_row_wide(i, [&](const Index& j, const Real& entry) {
        return entry * as<double>(Element<T>(x_(s, j)));
      });
      r.at(s, part, local) = as<T>((as<double>(Element<T>(b_(s, i))) - product) / scale[s]);
      y.at(s, part, local) = 0.0;
      d.at(s, part, local) = preconditioned(r.at(s, part, local), i);
    });
    store_sums_of_r(s, part, rows);
  });
  for_each_rhs(going_on(), [&](const Index& s) { judge(s); });
}

template <class T>
void ManyRhs<T>::store_sums_of_r(const Index& s, const Index& part, const Index& rows) const {
  const auto element = [&](const Index& local) {
    return as<double>(Element<T>(r.at(s, part, local)));
  };
  first_sums(s, part) =
      sum_piece(rows, [&](const Index& local) { return element(local) * element(local); });
  if (!has_inverse()) return;
  second_sums(s, part) = sum_piece(rows, [&](const Index& local) {
    return element(local) *
           as<double>(preconditioned(r.at(s, part, local), part * rows_of_a_piece + local));
  });
}

// As the loop around every method does it (true_residual_loop.cpp).
template <class T>
typename ManyRhs<T>::Judged ManyRhs<T>::measure(const Index& s) const {
  const auto before = p.let("before", Real(rr[s]));
  const auto is_first = p.let("is_first", last_norm[s] == std::numeric_limits<double>::max());
  const auto near = p.let("near", max(Real(target[s]), claimed_gain * last_norm[s]));
  const auto claimed = p.let("claimed", before <= near * near);
  const auto recurred = p.let("recurred", select(is_first, 0.0, relative_to_b(s, sqrt(before))));
  const auto now = p.let("now", total(first_sums, s));
  const auto norm = p.let("norm", sqrt(now));
  const auto start = p.let("start", select(is_first, norm, start_norm[s]));
  return {.square = now,
          .norm = norm,
          .start = start,
          .recurred = recurred,
          .rtol_norm = p.let("rtol_norm", select(told_.rtol_of_start, start, norm_b[s])),
          .farthest_up = p.let("farthest_up", told_.dtol * max(Real(norm_b[s]), start)),
          .claimed = claimed};
}

// The first that holds.
template <class T>
Code ManyRhs<T>::reason_for(const Index& s, const Judged& now) const {
  const auto why = p.var<std::int32_t>("why", going);
  const auto end_if = [&](const builder::Value<bool>& holds, const Code& told) {
    why = select(is_going(why) && holds, told, why);
  };
  end_if(!is_finite(now.norm) || !is_finite(now.recurred), code(Reason::NanOrInf));
  end_if(now.norm <= told_.rtol * now.rtol_norm, code(Reason::ConvergedRtol));
  end_if(scale[s] * now.norm <= told_.atol, code(Reason::ConvergedAtol));
  end_if(unusable_ < n, code(Reason::NoDiagonal));
  end_if(!is_going(breakdown[s]), breakdown[s]);
  end_if(now.norm > now.farthest_up, code(Reason::Dtol));
  end_if(trips[s] >= told_.max_trips, code(Reason::MaxTrips));
  end_if(now.norm >= select(now.claimed, least_gain * last_norm[s], last_norm[s]),
         code(Reason::Stagnated));
  return why;
}

template <class T>
void ManyRhs<T>::judge(const Index& s) {
  const Judged now = measure(s);
  const Code why = reason_for(s, now);
  const auto bound = p.let("bound", max(farthest<T> * now.norm, least_norm<T>));
  const auto wanted =
      p.let("wanted", max(max(told_.rtol * now.rtol_norm, told_.atol / scale[s]), bound));
  start_norm[s] = now.start;
  start_residual[s] = scale[s] * now.start;
  residual[s] = scale[s] * now.norm;
  relative[s] = relative_to_b(s, now.norm);
  recurrence[s] = now.recurred;
  last_norm[s] = now.norm;
  rr[s] = now.square;
  rz[s] = has_inverse() ? total(second_sums, s) : now.square;
  floor[s] = bound;
  target[s] = wanted;
  up[s] = now.farthest_up;
  restarts[s] =
      restarts[s] + select(is_going(why) && trips[s] > 0, builder::constant<std::int64_t>(1), 0);
  active[s] = select(is_going(why) && may_go_on(s, now.square, trips[s]),
                     builder::constant<std::int32_t>(1), 0);
  reason[s] = why;
}

template <class T>
Real ManyRhs<T>::relative_to_b(const Index& s, const Real& norm) const {
  return select(norm_b[s] > 0.0, norm / norm_b[s], norm);
}

template <class T>
builder::Value<bool> ManyRhs<T>::may_go_on(const Index& s, const Real& square,
                                           const Index& made) const {
  const auto is_inside = square > target[s] * target[s] && square <= up[s] * up[s];
  const auto is_unchecked = made % told_.check_every != 0 && square > floor[s] * floor[s];
  return is_going(breakdown[s]) && made < told_.max_trips && (is_inside || is_unchecked);
}

template class ManyRhs<float>;
template class ManyRhs<double>;

}  // namespace gyre::solvers
