#include "gyre/solvers/solve_result.hpp"

#include <string>

#include <fmt/core.h>

namespace gyre::solvers {

std::string describe(const SolveResult& result) {
  switch (result.reason) {
    case Reason::ConvergedRtol: return "the residual is within rtol";
    case Reason::ConvergedAtol: return "the residual is within atol";
    case Reason::MaxTrips:
      return fmt::format("the {} trips that were allowed are used up", result.iterations);
    case Reason::Indefinite:
      return fmt::format(
          "trip {} met a direction of no positive curvature: the matrix (or its preconditioner) is "
          "not positive definite",
          result.iterations + 1);
    case Reason::Breakdown:
      return fmt::format("trip {} would divide by 0: the method cannot go on from here",
                         result.iterations + 1);
    case Reason::NoDiagonal:
      return fmt::format(
          "row {} has no diagonal entry, or a 0 there, and the preconditioner divides by it",
          result.row + 1);
    case Reason::BadPivot:
      return fmt::format(
          "row {} leaves the preconditioner a pivot that is not positive, or one of 0 to divide by",
          result.row + 1);
    case Reason::NanOrInf:
      return fmt::format("a NaN or an infinity came up {}",
                         result.iterations == 0 ? std::string("at the start")
                                                : fmt::format("after trip {}", result.iterations));
    case Reason::Dtol:
      return fmt::format("after {} trips the residual has grown beyond dtol", result.iterations);
    case Reason::Stagnated:
      return fmt::format(
          "the recurrence went down to {:.2e}, but the true residual stays at {:.2e}: the "
          "precision "
          "allows no better",
          result.recurrence_residual, result.relative_residual);
    case Reason::MaxSeconds: return "the seconds that were allowed are used up";
    case Reason::Cancelled: return "it was cancelled";
  }
  return {};
}

}  // namespace gyre::solvers
