#include "gyre/solvers/reason.hpp"

#include <array>

namespace gyre::solvers {
namespace {

// By the order of Reason.
constexpr std::array<std::string_view, 10> names = {"converged_rtol", "converged_atol",
                                                    "max_trips",      "breakdown_indefinite",
                                                    "breakdown",      "breakdown_no_diagonal",
                                                    "diverged_nan",   "diverged",
                                                    "stagnated",      "cancelled"};

}  // namespace

std::string_view name_of(Reason reason) {
  return names.at(static_cast<std::size_t>(reason));
}

bool is_converged(Reason reason) {
  return reason == Reason::ConvergedRtol || reason == Reason::ConvergedAtol;
}

}  // namespace gyre::solvers
