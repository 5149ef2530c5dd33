/// What the programs of all methods declare: the system, what a solve is told and what it tells.
///
/// Inside a program every norm is of a right-hand side that is scaled, so that neither squares nor
/// elements overflow or vanish. The scale is a power of two where x has the type of the method's
/// own vectors: then it changes no bit of x otherwise.
#pragma once

#include "gyre/solvers/batch_matrix.hpp"
#include "gyre/solvers/reason.hpp"
#include "gyre/solvers/variant.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace gyre::solvers {

using Code = builder::Value<std::int32_t>;

/// The slot `reason` holds a Reason as its number, and this as long as there is none.
inline constexpr std::int32_t going = 0;
Code code(Reason reason);
builder::Value<bool> is_going(const Code& reason);

/// What each solve is told, by the names under which set_options.cpp sets it.
struct ToldOptions {
  explicit ToldOptions(builder::Program& program);

  builder::Scalar<double> rtol;
  builder::Scalar<double> atol;
  builder::Scalar<double> dtol;
  builder::Scalar<std::int64_t> max_trips;
  builder::Scalar<std::int64_t> check_every;
  /// Whether rtol is relative to ‖b − A x0‖ and not to ‖b‖.
  builder::Scalar<bool> rtol_of_start;
  builder::Scalar<double> relaxation;
  builder::Scalar<double> eigenvalue_min;
  builder::Scalar<double> eigenvalue_max;
};

/// The scale of a b of `T` whose largest element is that: a power of two.
template <class T>
Real scale_for(const Real& largest);

/// The declarations that solver.cpp and batched_solver.cpp bind, by the same names. `T` is the type
/// of the method's own vectors; b and x may be wider.
template <class T>
class LinearSystem : public ToldOptions {
 public:
  /// `one_of_many`: which one it is, within the foreach over them.
  LinearSystem(builder::Program& program, const Variant& variant,
               const std::optional<OneOfMany>& one_of_many = {});

  /// A vector of the program's own.
  Vector<T> vector(std::string name) const;

  /// to = from
  void copy(const Vector<T>& to, const Vector<T>& from) const;

  /// Chooses `scale`, computes `norm_b`, and makes x zero where b is: then nothing is left to do.
  void scale_rhs() const;
  /// r = (b − A x) / scale, computed in f64 where the matrix has rows.
  void store_residual(const Vector<T>& r) const;
  /// x += scale y,  y = 0.
  void add_to_x(const Vector<T>& y) const;

  /// Ends the solve for `why` before its first trip where `is_usable` does not hold for some row,
  /// unless there is such a row already.
  void find_unusable_row(
      Reason why, const std::function<builder::Value<bool>(const Index& i)>& is_usable) const;
  /// The same where the row is known; none where it is no row.
  void refuse_row(Reason why, const Index& row) const;

  /// Ends the solve for that reason where `condition` holds, unless there is a reason already.
  void end_if(const builder::Value<bool>& condition, const Code& why) const;
  void end_if(const builder::Value<bool>& condition, Reason why) const;
  /// Counts a trip where `is_trip` holds, and puts ‖r‖, of the scaled system, where it has its
  /// place in the history.
  void count_trip(const builder::Value<bool>& is_trip, const Real& norm) const;
  void record(const Real& norm) const;
  /// Of one of many systems: stores how its solve ended.
  void store_outcome() const;

  builder::Program& program;
  /// Which of many systems it is.
  std::optional<OneOfMany> place;
  std::unique_ptr<Operator<T>> a;
  Index n;
  /// Why the solve ends. A number and no `stop`: what it takes to leave a loop by a jump would cost
  /// a conditional node for each reason.
  builder::Scalar<std::int32_t> reason;
  /// ‖b − A x‖ and the same over ‖b‖, as of the last time they were computed from x.
  builder::Scalar<double> residual;
  builder::Scalar<double> relative;
  /// ‖b − A x0‖.
  builder::Scalar<double> start_residual;
  /// ‖r‖ of the recurrence when it last ended, over ‖b‖.
  builder::Scalar<double> recurrence;
  builder::Scalar<std::int64_t> trips;
  builder::Scalar<std::int64_t> restarts;
  /// The first row, from 0, that the preconditioner cannot use, and why; no row where none.
  builder::Scalar<std::int64_t> unusable_row;
  builder::Scalar<std::int32_t> unusable;
  /// b is worked on as b / scale.
  builder::Scalar<double> scale;
  /// ‖b / scale‖.
  builder::Scalar<double> norm_b;

 private:
  /// b and x, of the type that the matrix is stored in.
  template <class X>
  struct Callers {
    Vector<X> b;
    Vector<X> x;
  };
  using AnyCallers = std::variant<Callers<double>, Callers<float>>;

  template <class X>
  AnyCallers declare_callers() const;
  template <class V>
  builder::Scalar<V> outcome(std::string name, V initial) const;
  template <class V>
  void store_outcome(const std::string& name, const builder::Scalar<V>& value) const;

  AnyCallers callers_;
  std::optional<builder::Size> kept_;
  std::optional<Vector<double>> history_;
};

}  // namespace gyre::solvers
