#include "linear_system.hpp"

#include <cmath>
#include <limits>

namespace gyre::solvers {

Code code(Reason reason) {
  return builder::constant<std::int32_t>(static_cast<std::int32_t>(reason));
}

builder::Value<bool> is_going(const Code& reason) {
  return reason == going;
}

LinearSystem::LinearSystem(builder::Program& p, bool keeps_history)
    : n(p.size("n")),
      nnz(p.size("nnz")),
      row(p.in<std::int32_t>("row", {n + 1})),
      col(p.in<std::int32_t>("col", {nnz})),
      val(p.in<double>("val", {nnz})),
      b(p.in<double>("b", {n})),
      x(p.inout<double>("x", {n})),
      rtol(p.in("rtol", SolveOptions{}.rtol)),
      atol(p.in("atol", SolveOptions{}.atol)),
      max_trips(p.in<std::int64_t>("max_trips", SolveOptions{}.max_trips)),
      reason(p.out<std::int32_t>("reason", going)),
      residual(p.out("residual", 0.0)),
      relative(p.out("relative", 0.0)),
      recurrence(p.out("recurrence", 0.0)),
      trips(p.out<std::int64_t>("trips", 0)),
      restarts(p.out<std::int64_t>("restarts", 0)),
      row_without_diagonal(p.out("row_without_diagonal", std::numeric_limits<std::int64_t>::max())),
      scale(p.var("scale", 1.0)),
      norm_b(p.var("norm_b", 0.0)) {
  if (keeps_history) {
    kept_.emplace(p.size("kept"));
    history_.emplace(p.out<double>("history", {*kept_}));
  }
}

Number LinearSystem::product(const Vector& v, const Index& i) const {
  return sum(builder::range("k", row[i], row[i + 1]), [&](auto k) { return val[k] * v[col[k]]; });
}

Number LinearSystem::diagonal(const Index& i) const {
  return sum(builder::range("k", row[i], row[i + 1]),
             [&](auto k) { return select(col[k] == i, val[k], 0.0); });
}

void LinearSystem::end_if(const builder::Value<bool>& condition, const Code& why) const {
  reason = select(is_going(reason) && condition, why, reason);
}

void LinearSystem::end_if(const builder::Value<bool>& condition, Reason why) const {
  end_if(condition, code(why));
}

void LinearSystem::record(const Number& norm) const {
  // A ring: what a long solve forgets is its start.
  if (history_) (*history_)[trips % *kept_] = scale * norm;
}

void scale_rhs(builder::Program& p, const LinearSystem& s) {
  // Squares of what lies between 2^-300 and 2^300 are far from both ends of the range.
  const double far = std::ldexp(1.0, 300);
  const double step = std::ldexp(1.0, 700);
  const auto largest = p.let("largest", max(0, s.n, [&](auto i) { return abs(s.b[i]); }));
  s.scale = select(largest > far, step, select(largest < 1 / far, 1 / step, s.scale));
  s.norm_b = sqrt(sum(0, s.n, [&](auto i) { return (s.b[i] / s.scale) * (s.b[i] / s.scale); }));
  p.if_(largest == 0.0, [&] { p.fill(s.x, 0.0); });
}

DiagonalPreconditioner::DiagonalPreconditioner(builder::Program& p, const LinearSystem& system,
                                               Preconditioner kind) {
  if (kind == Preconditioner::None) return;
  inverse_.emplace(p.temp<double>("inverse", {system.n}));
  const auto& inverse = *inverse_;
  p.foreach(0, system.n, [&](auto i) { inverse[i] = 1.0 / system.diagonal(i); });
  // 1 / a is no number for a = 0, and for an a so small that it is no better. (A NaN ends the solve
  // before anybody asks.)
  const auto none = builder::constant<std::int64_t>(std::numeric_limits<std::int64_t>::max());
  system.row_without_diagonal =
      min(0, system.n, [&](auto i) { return select(is_finite(inverse[i]), none, i); });
}

Number DiagonalPreconditioner::apply(const Vector& r, const Index& i) const {
  return inverse_ ? (*inverse_)[i] * r[i] : Number(r[i]);
}

}  // namespace gyre::solvers
