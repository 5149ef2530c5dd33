#include "gyre/jit/compile.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <string_view>

namespace gyre::jit {
namespace {

constexpr std::size_t lines_around = 2;
constexpr std::size_t most_complaints = 5;

/// The numbers in "name.cu(12): error: …", as the log has them, up to `most_complaints`.
std::set<std::size_t> lines_at_fault(std::string_view log) {
  constexpr std::string_view mark = ".cu(";
  std::set<std::size_t> lines;
  for (std::size_t at = log.find(mark);
       at != std::string_view::npos && lines.size() < most_complaints;
       at = log.find(mark, at + 1)) {
    std::size_t line = 0;
    std::size_t i = at + mark.size();
    for (; i < log.size() && std::isdigit(static_cast<unsigned char>(log[i])) != 0; ++i) {
      line = 10 * line + static_cast<std::size_t>(log[i] - '0');
    }
    if (log.substr(i).starts_with("): error")) lines.insert(line);
  }
  return lines;
}

std::set<std::size_t> with_neighbours(const std::set<std::size_t>& lines) {
  std::set<std::size_t> shown;
  for (const std::size_t line : lines) {
    const std::size_t first = line > lines_around ? line - lines_around : 1;
    for (std::size_t i = first; i <= line + lines_around; ++i) shown.insert(i);
  }
  return shown;
}

}  // namespace

std::string source_excerpt(const std::string& source, const std::string& log) {
  const std::set<std::size_t> faulty = lines_at_fault(log);
  const std::set<std::size_t> shown = with_neighbours(faulty);

  std::string excerpt;
  std::size_t begin = 0;
  for (std::size_t number = 1; begin < source.size(); ++number) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    if (shown.contains(number)) {
      std::string label = std::to_string(number);
      label.insert(0, label.size() < 5 ? 5 - label.size() : 0, ' ');
      excerpt += (faulty.contains(number) ? ">" : " ") + label + " | " +
                 source.substr(begin, end - begin) + "\n";
    }
    begin = end + 1;
  }
  return excerpt;
}

}  // namespace gyre::jit
