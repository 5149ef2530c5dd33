#include "linear_system.hpp"

#include "gyre/solvers/csr_matrix.hpp"
#include "gyre/solvers/options.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace gyre::solvers {
namespace {

std::shared_ptr<const Matrix> matrix_of(const Variant& variant) {
  static const std::int32_t no_rows = 0;
  return variant.matrix ? variant.matrix : csr_matrix(CsrView{0, {&no_rows, 1}, {}, {}});
}

template <class T>
std::unique_ptr<Operator<T>> declare(builder::Program& p, const Variant& variant,
                                     const std::optional<OneOfMany>& place) {
  if constexpr (std::same_as<T, double>) {
    return place ? variant.batch->declare_f64(p, *place) : matrix_of(variant)->declare_f64(p);
  } else {
    return place ? variant.batch->declare_f32(p, *place) : matrix_of(variant)->declare_f32(p);
  }
}

// What each solve is told.
template <class V>
builder::Scalar<V> told(builder::Program& p, const char* name, V otherwise) {
  return p.ahead([&] { return p.in<V>(name, otherwise); });
}

// What lies beyond 2^far, or below its inverse, is scaled by 2^by. Then it is far enough from both
// ends of the range for the squares, which are f64.
struct Band {
  int far;
  int by;
};
template <class T>
constexpr std::array<Band, 2> bands = {{{300, 400}, {700, 800}}};
template <>
constexpr std::array<Band, 1> bands<float> = {{{40, 80}}};

}  // namespace

Code code(Reason reason) {
  return builder::constant<std::int32_t>(static_cast<std::int32_t>(reason));
}

builder::Value<bool> is_going(const Code& reason) {
  return reason == going;
}

ToldOptions::ToldOptions(builder::Program& p)
    : rtol(told(p, "rtol", SolveOptions{}.rtol)),
      atol(told(p, "atol", SolveOptions{}.atol)),
      dtol(told(p, "dtol", SolveOptions{}.dtol)),
      max_trips(told(p, "max_trips", SolveOptions{}.max_trips)),
      check_every(told(p, "check_every", SolveOptions{}.check_every)),
      rtol_of_start(told(p, "rtol_of_start", false)),
      relaxation(told(p, "relaxation", SolveOptions{}.relaxation)),
      eigenvalue_min(told(p, "eigenvalue_min", SolveOptions{}.eigenvalue_min)),
      eigenvalue_max(told(p, "eigenvalue_max", SolveOptions{}.eigenvalue_max)) {}

namespace {

// The scale by the bands from number `band` on, where those before leave it as `scale`.
template <class T, std::size_t band = 0>
Real scale_by_bands(const Real& largest, const Real& scale) {
  if constexpr (band == bands<T>.size()) {
    return scale;
  } else {
    const double limit = std::ldexp(1.0, bands<T>[band].far);
    const double step = std::ldexp(1.0, bands<T>[band].by);
    return scale_by_bands<T, band + 1>(
        largest, select(largest > limit, step, select(largest < 1 / limit, 1 / step, scale)));
  }
}

}  // namespace

template <class T>
Real scale_for(const Real& largest) {
  return scale_by_bands<T>(largest, builder::constant<double>(1.0));
}

template <class T>
LinearSystem<T>::LinearSystem(builder::Program& p, const Variant& variant,
                              const std::optional<OneOfMany>& one_of_many)
    : ToldOptions(p),
      program(p),
      place(one_of_many),
      a(p.ahead([&] { return declare<T>(p, variant, place); })),
      n(a->rows()),
      reason(outcome("reason", going)),
      residual(outcome("residual", 0.0)),
      relative(outcome("relative", 0.0)),
      start_residual(outcome("start_residual", 0.0)),
      recurrence(outcome("recurrence", 0.0)),
      trips(outcome("trips", std::int64_t{0})),
      restarts(outcome("restarts", std::int64_t{0})),
      unusable_row(outcome("unusable_row", std::numeric_limits<std::int64_t>::max())),
      unusable(p.var<std::int32_t>("unusable", going)),
      scale(p.var("scale", 1.0)),
      norm_b(p.var("norm_b", 0.0)),
      callers_(works_in_f32(variant) && !variant.mixed ? declare_callers<float>()
                                                       : declare_callers<double>()) {
  if (variant.keeps_history) {
    kept_.emplace(p.size("kept"));
    history_.emplace(p.out<double>("history", {*kept_, 2}));
    // What the solve before has left is nobody's: a look that comes early finds nothing.
    p.foreach(0, *kept_, [&](const Index& at) { (*history_)(at, 0) = 0.0; });
  }
  a->prepare();
}

template <class T>
template <class X>
typename LinearSystem<T>::AnyCallers LinearSystem<T>::declare_callers() const {
  if (!place) return Callers<X>{program.in<X>("b", {n}), program.inout<X>("x", {n})};
  return program.ahead([&] {
    const auto b = program.in<X>("b", {place->count, n});
    const auto x = program.inout<X>("x", {place->count, n});
    return AnyCallers(Callers<X>{{b, place->system}, {x, place->system}});
  });
}

template <class T>
template <class V>
builder::Scalar<V> LinearSystem<T>::outcome(std::string name, V initial) const {
  return place ? program.var<V>(std::move(name), initial)
               : program.out<V>(std::move(name), initial);
}

template <class T>
Vector<T> LinearSystem<T>::vector(std::string name) const {
  if (!place) return program.temp<T>(std::move(name), {n});
  const auto rows = program.ahead([&] {
    return program.temp<T>(std::move(name), {place->count, n});
  });
  return {rows, place->system};
}

template <class T>
void LinearSystem<T>::copy(const Vector<T>& to, const Vector<T>& from) const {
  if (!place) return program.copy(to, from);
  program.foreach(0, n, [&](const Index& i) { to[i] = from[i]; });
}

template <class T>
template <class V>
void LinearSystem<T>::store_outcome(const std::string& name,
                                    const builder::Scalar<V>& value) const {
  const auto all = program.ahead([&] { return program.out<V>(name, {place->count}); });
  all[place->system] = value;
}

template <class T>
void LinearSystem<T>::store_outcome() const {
  store_outcome("reason_of", reason);
  store_outcome("residual_of", residual);
  store_outcome("relative_of", relative);
  store_outcome("start_residual_of", start_residual);
  store_outcome("recurrence_of", recurrence);
  store_outcome("trips_of", trips);
  store_outcome("restarts_of", restarts);
  store_outcome("unusable_row_of", unusable_row);
}

template <class T>
void LinearSystem<T>::scale_rhs() const {
  std::visit(
      [&]<class X>(const Callers<X>& callers) {
        const Vector<X>& b = callers.b;
        const Vector<X>& x = callers.x;
        const auto largest = program.let(
            "largest", as<double>(max(0, n, [&](const Index& i) { return abs(b[i]); })));
        if constexpr (std::same_as<X, T>) {
          scale = scale_for<T>(largest);
        } else {
          // What is rounded to T anyway may be scaled by any number.
          scale = select(largest > 0.0 && is_finite(largest), largest, 1.0);
        }
        const auto scaled = [&](const Index& i) { return as<double>(b[i]) / scale; };
        norm_b = sqrt(dot(n, scaled, scaled));
        program.if_(largest == 0.0, [&] {
          if (!place) return program.fill(x, 0.0);
          program.foreach(0, n, [&](const Index& i) { x[i] = 0.0; });
        });
      },
      callers_);
}

template <class T>
void LinearSystem<T>::store_residual(const Vector<T>& r) const {
  std::visit(
      [&]<class X>(const Callers<X>& callers) {
        const Vector<X>& b = callers.b;
        const Vector<X>& x = callers.x;
        if constexpr (std::same_as<X, T>) {
          if (!a->has_rows()) {
            a->multiply(x, r);
            program.foreach(0, n, [&](const Index& i) {
              r[i] = as<T>((as<double>(b[i]) - as<double>(r[i])) / scale);
            });
            return;
          }
        }
        program.foreach(0, n, [&](const Index& i) {
          const auto product = a->sum_row_wide(
              i, [&](const Index& j, const Real& entry) { return entry * as<double>(x[j]); });
          r[i] = as<T>((as<double>(b[i]) - product) / scale);
        });
      },
      callers_);
}

template <class T>
void LinearSystem<T>::add_to_x(const Vector<T>& y) const {
  std::visit(
      [&]<class X>(const Callers<X>& callers) {
        const Vector<X>& x = callers.x;
        program.foreach(0, n, [&](const Index& i) {
          x[i] += as<X>(scale * as<double>(y[i]));
          y[i] = 0.0;
        });
      },
      callers_);
}

template <class T>
void LinearSystem<T>::find_unusable_row(
    Reason why, const std::function<builder::Value<bool>(const Index& i)>& is_usable) const {
  const auto none = builder::constant<std::int64_t>(std::numeric_limits<std::int64_t>::max());
  refuse_row(why, min(0, n, [&](const Index& i) { return select(is_usable(i), none, i); }));
}

template <class T>
void LinearSystem<T>::refuse_row(Reason why, const Index& row) const {
  const auto refused = program.let("refused_row", row);
  const auto is_first = program.let("is_first", is_going(unusable) && refused < n);
  unusable_row = select(is_first, refused, unusable_row);
  unusable = select(is_first, code(why), unusable);
}

template <class T>
void LinearSystem<T>::end_if(const builder::Value<bool>& condition, const Code& why) const {
  reason = select(is_going(reason) && condition, why, reason);
}

template <class T>
void LinearSystem<T>::end_if(const builder::Value<bool>& condition, Reason why) const {
  end_if(condition, code(why));
}

template <class T>
void LinearSystem<T>::count_trip(const builder::Value<bool>& is_trip, const Real& norm) const {
  trips += select(is_trip, builder::constant<std::int64_t>(1), 0);
  record(norm);
}

template <class T>
void LinearSystem<T>::record(const Real& norm) const {
  if (!history_) return;
  // A ring: what a long solve forgets is its start. Which trip it is of stands there first, for who
  // looks while the solve runs.
  const auto at = program.let("at", trips % *kept_);
  (*history_)(at, 0) = as<double>(trips + 1);
  (*history_)(at, 1) = scale * norm;
}

template Real scale_for<float>(const Real&);
template Real scale_for<double>(const Real&);
template class LinearSystem<float>;
template class LinearSystem<double>;

}  // namespace gyre::solvers
