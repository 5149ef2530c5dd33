/// What a page of the documentation shows in C++, and whether a test has it too, so that what users
/// copy compiles and does what the page says.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gyre::support {

/// C++ without its comments and white space: what two layouts of one text have in common.
std::string squeezed(std::string_view code);

/// Whether `snippet` stands in `source`, however either is laid out. `…` in a snippet is whatever
/// the source has there, and each `#include` of it may stand anywhere.
bool stands_in(std::string_view snippet, std::string_view source);

/// The ```cpp fences of a Markdown page that stand in none of these sources, all from the root of
/// the repository.
std::vector<std::string> snippets_missing(std::string_view page,
                                          const std::vector<std::string>& sources);

/// The rows of the page's table of two columns under that line, what stands in backticks in each
/// cell as a snippet: several such pieces are joined by `…`.
std::vector<std::pair<std::string, std::string>> table_of_code(std::string_view page,
                                                               std::string_view heading);

}  // namespace gyre::support
