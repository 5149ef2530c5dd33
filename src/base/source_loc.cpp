#include "gyre/base/source_loc.hpp"

namespace gyre {

std::string_view SourceText::line(std::uint32_t number) const {
  std::string_view rest = text;
  for (std::uint32_t at = 1; at < number; ++at) {
    const auto end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  auto found = rest.substr(0, rest.find('\n'));
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

SourceLoc SourceLoc::here(const CallSite& place) {
  return {.source = std::make_shared<const SourceText>(SourceText{place.file_name(), {}}),
          .line = place.line(),
          .column = place.column()};
}

std::string to_string(const SourceLoc& loc) {
  if (!loc) return {};
  const std::string name = loc.source ? loc.source->name : std::string("<unknown>");
  return name + ":" + std::to_string(loc.line) + ":" + std::to_string(loc.column);
}

}  // namespace gyre
