/// How numbers, lists and calls are written in emitted code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gyre::jit {

inline std::string number(std::uint64_t value) {
  return std::to_string(value);
}

/// `a, b`.
inline std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

/// `function(a, b)`.
inline std::string call(const std::string& function, const std::vector<std::string>& arguments) {
  return function + "(" + joined(arguments) + ")";
}

/// What stands behind a declared name: `{…}` at once, anything else after a space.
inline std::string spaced(const std::string& initializer) {
  return (initializer[0] == '{' ? "" : " ") + initializer;
}

/// Each line of `text` with `depth` steps of indentation before it.
inline std::string indented(const std::string& text, std::size_t depth = 1) {
  const std::string before(2 * depth, ' ');
  std::string lines = before;
  for (const char c : text) lines += c == '\n' ? "\n" + before : std::string(1, c);
  return lines;
}

/// The same for whole lines, each with its end.
inline std::string indented_lines(const std::string& lines, std::size_t depth) {
  std::string text;
  for (std::size_t begin = 0, end; begin < lines.size(); begin = end + 1) {
    end = lines.find('\n', begin);
    text += std::string(2 * depth, ' ') + lines.substr(begin, end - begin) + "\n";
  }
  return text;
}

}  // namespace gyre::jit
