/// The loop around every method: it starts from b − A x, and believes nothing else.
///
///     r = b − A x
///     until a reason to end is found
///       trips of the method, from r on: they make y and a residual of their own
///       x += y,  r = b − A x
///
/// A method's own residual is a recurrence and drifts from b − A x. So when it passes the
/// tolerance, b − A x is computed; if that passes, the solve has converged, else it goes on from
/// there, as long as each such restart halves the residual. y is what the trips since then add to
/// x, by itself: so x is rounded once a restart, not once a trip, and in mixed precision x is f64
/// and y f32.
#pragma once

#include "approximate_inverse.hpp"
#include "linear_system.hpp"

#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace gyre::solvers {

/// Trips that claim this gain, or the tolerance, and do not make that one of the true residual have
/// met the precision's end.
inline constexpr double claimed_gain = 0.25;
inline constexpr double least_gain = 0.5;
/// How far the recurrence may run ahead of a true residual: further, it says nothing about x.
template <class T>
inline constexpr double farthest = std::is_same_v<T, float> ? 5e-6 : 1e-14;
/// Residuals below this, of a scaled system, have elements or squares that vanish.
template <class T>
inline constexpr double least_norm = std::is_same_v<T, float> ? 1e-30 : 1e-140;

/// What a method and the loop around it share.
template <class T>
struct Workspace {
  Workspace(builder::Program& program, const Variant& variant,
            const std::optional<OneOfMany>& place = {});

  builder::Program& p;
  LinearSystem<T> s;
  MadeInverse<T> m;
  /// The residual of the scaled system; the loop sets it, and the method updates it.
  Vector<T> r;
  /// What the trips since then add to x, of the scaled system.
  Vector<T> y;
  /// ‖r‖², or what the method takes for it.
  builder::Scalar<double> rr;
  /// What made the last trip mean nothing; the solve ends for it, unless x is a solution.
  builder::Scalar<std::int32_t> breakdown;
};

/// What a method does from a true residual on.
template <class T>
class Steps {
 public:
  explicit Steps(Workspace<T>& w) : w_(w) {}
  virtual ~Steps() = default;
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  /// Begins anew at r, with rr = ‖r‖² and y = 0.
  virtual void start() = 0;
  /// Whether another trip can be made before b − A x is computed.
  virtual builder::Value<bool> has_trip() const { return is_going(w_.breakdown); }
  /// One trip: counts itself, and sets rr and breakdown.
  virtual void trip() = 0;
  /// Leaves in y what the trips make of it, if they have not done so.
  virtual void finish() {}

 protected:
  Workspace<T>& w() const { return w_; }

 private:
  Workspace<T>& w_;
};

/// Writes down the loop around `method`, and all that is done once.
template <class T>
void build_true_residual_loop(const Workspace<T>& w, Steps<T>& method);

/// Runs `body` for each of many systems, by a team: all systems at once, each its own trips.
void for_each_system(builder::Program& p, ir::Team team,
                     const std::function<void(const OneOfMany&)>& body);

/// The program of a method, which is a template over the type of its vectors: for one system, or
/// where the variant has a batch for many, with the same steps in the same order.
template <template <class> class Method>
ir::Program make_method_program(const std::string& name, const Variant& variant) {
  builder::Program p(name);
  const auto build_in = [&]<class T>(T, const std::optional<OneOfMany>& place) {
    Workspace<T> workspace(p, variant, place);
    Method<T> method(workspace, variant);
    build_true_residual_loop<T>(workspace, method);
    if (place) workspace.s.store_outcome();
  };
  const auto build = [&](const std::optional<OneOfMany>& place) {
    works_in_f32(variant) ? build_in(float{}, place) : build_in(double{}, place);
  };
  if (variant.batch) {
    for_each_system(p, variant.team, build);
  } else {
    build({});
  }
  return p.finish();
}

}  // namespace gyre::solvers
