/// What a cycle of gmres knows beside vectors, and the least-squares problem that it comes to.
///
/// In trip j the vectors are Q, orthonormal, û, which was made orthogonal to Q once, and w = A
/// M⁻¹û. With s = Qᵀû, z = Qᵀw and a = √(ûᵀû − sᵀs)
///
///     q_j = (û − Q s) / a,  t = (ûᵀw − sᵀz) / a,  next û = (w − Q z − t q_j) / ‖w‖
///
/// so that s and a are a column of U in Û = Q U, and z, t and ‖w‖ times the next column of U are
/// one of G in A M⁻¹Û = Q G: upper Hessenberg, and known without a second product with Q. The least
/// ‖r − A M⁻¹Û x̂‖ is that of ‖ ‖r‖ e₀ − G x̂ ‖, and its x is Û x̂ = Q (U x̂).
///
/// No rotation is applied to a column. ν, the unit vector with νᵀG = 0, holds what all of them do
/// to the last row: above = νᵀ times the column, below = its last entry, and the rotation that
/// makes below 0 gives the next ν = (−sine ν, cosine). Then ‖r‖ falls by the sine.
#pragma once

#include "gyre/solvers/numbers.hpp"

namespace gyre::solvers {

/// 1 / x, and 0 for 0: where the Krylov space ends, vectors are 0 from there on.
Real inverse(const Real& x);

class GmresCycle {
 public:
  /// For cycles of up to `trips` trips. A pivot that is smaller than `least_pivot` times the norm
  /// of its column is rounding.
  GmresCycle(builder::Program& program, std::int64_t trips, double least_pivot);

  /// Begins anew, with the norm of the residual.
  void begin(const Real& norm);
  /// Behind a trip that has stored its numbers: takes its column in, where `uu` is ‖next û‖². Gives
  /// ‖r‖². The next trip adds to the column what is left of Qᵀû: rounding, unless û is.
  Real advance(const Real& uu);
  /// Leaves U x̂ in `weight`.
  void solve();

  /// Stores at [k] what the trip before j has left in scalars, where that belongs there: within a
  /// foreach whose points are k, before anything asks for it.
  void keep_last(const Index& k) const;

  /// How many trips the cycle has made: the number of the one under way.
  builder::Scalar<std::int64_t> j;
  /// s_k and z_k of trip j at [j, k], and t at [j, j] of the latter.
  Vector<double> on_u;
  Vector<double> on_w;
  /// Of trip j at [j]: a, ‖w‖, νᵀs and νᵀz.
  Vector<double> norm_u;
  Vector<double> norm_w;
  Vector<double> null_on_u;
  Vector<double> null_on_w;
  /// The numbers whose multiples ν are.
  Vector<double> null;
  /// By index of the basis, at [0, k].
  Vector<double> weight;

 private:
  void make_triangle();
  void solve_triangle();

  builder::Program& p_;
  std::int64_t m_;
  double least_pivot_;
  /// By column: what ν is a multiple by before its rotation, and that.
  Vector<double> scales_;
  Vector<double> cosines_;
  Vector<double> sines_;
  /// Column l of R at [l].
  Vector<double> triangle_;
  Vector<double> solution_;
  /// ‖r‖ when the cycle began.
  builder::Scalar<double> norm_r_;
  /// The last number and the scale of ν, and the rotation that made it.
  builder::Scalar<double> last_null_;
  builder::Scalar<double> last_scale_;
  builder::Scalar<double> last_cosine_;
  builder::Scalar<double> last_sine_;
  /// Of the last column, as far as it is known: νᵀ times it, what stands below, the rotation, and
  /// ‖r‖² before that.
  builder::Scalar<double> above_;
  builder::Scalar<double> below_;
  builder::Scalar<double> cosine_;
  builder::Scalar<double> sine_;
  builder::Scalar<double> square_;
};

}  // namespace gyre::solvers
