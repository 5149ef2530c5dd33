#include "parameter_list.hpp"

#include <utility>

namespace gyre::jit {

constexpr std::size_t page_width = 100;

std::string parameter_list(std::string start, const std::vector<std::string>& parameters) {
  const std::string margin(start.size(), ' ');
  std::string text;
  std::string line = std::move(start);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string part = parameters[i] + (i + 1 < parameters.size() ? "," : ")");
    const bool is_first = line.back() == '(' || line == margin;
    if (!is_first && line.size() + 1 + part.size() > page_width) {
      text += line + "\n";
      line = margin + part;
    } else {
      line += (is_first ? "" : " ") + part;
    }
  }
  return text + line;
}

}  // namespace gyre::jit
