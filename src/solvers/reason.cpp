#include "gyre/solvers/reason.hpp"

#include "gyre/base/error.hpp"

#include <array>
#include <string>
#include <utility>

namespace gyre::solvers {
namespace {

constexpr std::array<std::pair<Reason, std::string_view>, 12> names = {{
    {Reason::ConvergedRtol, "converged_rtol"},
    {Reason::ConvergedAtol, "converged_atol"},
    {Reason::MaxTrips, "max_trips"},
    {Reason::Dtol, "dtol"},
    {Reason::Breakdown, "breakdown"},
    {Reason::NanOrInf, "nan_or_inf"},
    {Reason::Indefinite, "indefinite"},
    {Reason::NoDiagonal, "no_diagonal"},
    {Reason::Stagnated, "stagnated"},
    {Reason::MaxSeconds, "max_seconds"},
    {Reason::Cancelled, "cancelled"},
    {Reason::BadPivot, "bad_pivot"},
}};

constexpr auto in_order = [] {
  std::array<Reason, names.size()> all{};
  for (std::size_t i = 0; i < names.size(); ++i) all[i] = names[i].first;
  return all;
}();

}  // namespace

std::span<const Reason> reasons() {
  return in_order;
}

std::string_view name_of(Reason reason) {
  for (const auto& [known, name] : names) {
    if (known == reason) return name;
  }
  throw InternalError("a reason without a name: " + std::to_string(static_cast<int>(reason)));
}

}  // namespace gyre::solvers
