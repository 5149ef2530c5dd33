#include "gyre/base/suggestion.hpp"

#include "gyre/base/diagnostic.hpp"

namespace gyre {

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t most = 8;
  if (known.empty()) return {};
  if (const auto nearest = nearest_name(name, known); !nearest.empty()) {
    return "; did you mean '" + nearest + "'?";
  }
  std::string there = "; there is ";
  for (std::size_t i = 0; i < known.size() && i < most; ++i)
    there += (i > 0 ? ", " : "") + known[i];
  return known.size() > most ? there + ", …" : there;
}

}  // namespace gyre
