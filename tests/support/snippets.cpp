#include "support/snippets.hpp"

#include "support/programs.hpp"

#include <algorithm>
#include <sstream>

namespace gyre::support {
namespace {

constexpr std::string_view ellipsis = "…";

// What stands between backticks, as pieces of one snippet.
std::string code_of(std::string_view cell) {
  std::string code;
  for (std::size_t open = cell.find('`'); open != cell.npos; open = cell.find('`', open)) {
    const std::size_t close = cell.find('`', open + 1);
    if (close == cell.npos) break;
    if (!code.empty()) code += ellipsis;
    code += cell.substr(open + 1, close - open - 1);
    open = close + 1;
  }
  return code;
}

}  // namespace

std::string squeezed(std::string_view code) {
  std::string result;
  std::istringstream lines{std::string(code)};
  for (std::string line; std::getline(lines, line);) {
    for (const char c : line.substr(0, line.find("//"))) {
      if (c != ' ' && c != '\t') result += c;
    }
  }
  return result;
}

bool stands_in(std::string_view snippet, std::string_view source) {
  const std::string whole = squeezed(source);
  std::string rest;
  std::istringstream lines{std::string(snippet)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("#include")) {
      rest += line + "\n";
    } else if (whole.find(squeezed(line)) == whole.npos) {
      return false;
    }
  }
  rest = squeezed(rest);
  std::size_t from = 0;
  for (std::size_t begin = 0; begin <= rest.size();) {
    const std::size_t end = std::min(rest.find(ellipsis, begin), rest.size());
    const std::string piece = rest.substr(begin, end - begin);
    from = whole.find(piece, from);
    if (from == whole.npos) return false;
    from += piece.size();
    begin = end + ellipsis.size();
  }
  return true;
}

std::vector<std::string> snippets_missing(std::string_view page,
                                          const std::vector<std::string>& sources) {
  std::vector<std::string> missing;
  for (const std::string& snippet : fences(in_repository(page), "cpp")) {
    bool found = false;
    for (const std::string& source : sources) {
      found = found || stands_in(snippet, read_file(in_repository(source)));
    }
    if (!found) missing.push_back(snippet);
  }
  return missing;
}

std::vector<std::pair<std::string, std::string>> table_of_code(std::string_view page,
                                                               std::string_view heading) {
  std::vector<std::pair<std::string, std::string>> rows;
  std::istringstream lines(read_file(in_repository(page)));
  std::string line;
  while (std::getline(lines, line) && line != heading) {
  }
  std::getline(lines, line);  // the rule below the heading
  while (std::getline(lines, line) && line.starts_with('|')) {
    const std::size_t middle = line.find("` | `");
    if (middle == line.npos) continue;
    const std::string_view both = line;
    rows.emplace_back(code_of(both.substr(0, middle + 1)), code_of(both.substr(middle + 1)));
  }
  return rows;
}

}  // namespace gyre::support
