#include "coloured_sweeps.hpp"

namespace gyre::solvers {
namespace {

constexpr std::int64_t most_in_line = 12;

std::optional<std::int64_t> in_line_of(std::int64_t colours) {
  return colours <= most_in_line ? std::optional(colours) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> colours_in_line(const LevelSchedule& colours) {
  return in_line_of(colours.chunks());
}

std::optional<std::int64_t> colours_in_line(const Variant& variant) {
  return variant.colours ? colours_in_line(*variant.colours) : in_line_of(2);
}

}  // namespace gyre::solvers
