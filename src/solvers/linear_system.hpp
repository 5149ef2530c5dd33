/// What the programs of all methods share: their declarations, A v, the stop test, the diagonal.
///
/// Inside a program every norm is of a right-hand side scaled by a power of two, so that its
/// squares neither overflow nor vanish; the scaling is exact and changes no bit of x otherwise.
#pragma once

#include "gyre/builder/program.hpp"
#include "gyre/solvers/options.hpp"
#include "gyre/solvers/reason.hpp"

#include <optional>

namespace gyre::solvers {

using Number = builder::Value<double>;
using Index = builder::Value<std::int64_t>;
using Vector = builder::Buffer<double>;

using Code = builder::Value<std::int32_t>;

/// The slot `reason` holds a Reason as its number, and this as long as there is none.
inline constexpr std::int32_t going = -1;
Code code(Reason reason);
builder::Value<bool> is_going(const Code& reason);

/// The declarations that solver.cpp binds, by the same names.
class LinearSystem {
 public:
  LinearSystem(builder::Program& p, bool keeps_history);

  /// (A v)_i.
  Number product(const Vector& v, const Index& i) const;
  /// a_ii; 0 where it is not stored.
  Number diagonal(const Index& i) const;
  /// Ends the solve for that reason where `condition` holds, unless there is a reason already.
  void end_if(const builder::Value<bool>& condition, const Code& why) const;
  void end_if(const builder::Value<bool>& condition, Reason why) const;
  /// Puts ‖r‖, of the scaled system, where trip number `trips` has its place.
  void record(const Number& norm) const;

  builder::Size n;
  builder::Size nnz;
  builder::Buffer<std::int32_t> row;
  builder::Buffer<std::int32_t> col;
  Vector val;
  Vector b;
  Vector x;
  builder::Scalar<double> rtol;
  builder::Scalar<double> atol;
  builder::Scalar<std::int64_t> max_trips;
  /// Why the solve ends. A number and no `stop`: what it takes to leave a loop by a jump would cost
  /// a conditional node for each reason.
  builder::Scalar<std::int32_t> reason;
  /// ‖b − A x‖ and the same over ‖b‖, as of the last time they were computed from x.
  builder::Scalar<double> residual;
  builder::Scalar<double> relative;
  /// ‖r‖ of the recurrence when it last ended, over ‖b‖.
  builder::Scalar<double> recurrence;
  builder::Scalar<std::int64_t> trips;
  builder::Scalar<std::int64_t> restarts;
  /// The first row, from 0, whose diagonal entry the preconditioner lacks; i64's most where none.
  builder::Scalar<std::int64_t> row_without_diagonal;
  /// b is worked on as b / scale.
  builder::Scalar<double> scale;
  /// ‖b / scale‖.
  builder::Scalar<double> norm_b;

 private:
  std::optional<builder::Size> kept_;
  std::optional<Vector> history_;
};

/// Chooses `scale`, computes `norm_b`, and makes x zero where b is: then nothing is left to do.
void scale_rhs(builder::Program& p, const LinearSystem& system);

/// M⁻¹ as an expression per element.
class DiagonalPreconditioner {
 public:
  /// Computes 1 / a_ii for Jacobi, and finds the first row where a_ii is 0.
  DiagonalPreconditioner(builder::Program& p, const LinearSystem& system, Preconditioner kind);

  bool is_identity() const { return !inverse_; }
  /// (M⁻¹ r)_i.
  Number apply(const Vector& r, const Index& i) const;

 private:
  std::optional<Vector> inverse_;
};

}  // namespace gyre::solvers
