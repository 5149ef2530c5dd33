/// Where something was written: a place in a `.gyre` text or in the C++ that built the program.
///
/// Leaves out how a place is shown with its line and caret; that is `render` in diagnostic.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>

namespace gyre {

/// A named text. Locations share it, so that a diagnostic can show the line it speaks of. A file of
/// C++ that built a program has a name and no text.
struct SourceText {
  std::string name;
  std::string text;

  /// The line `line` (from 1) without its end, or empty where there is none.
  std::string_view line(std::uint32_t line) const;
};

/// A span of `length` bytes at `line`:`column`, both from 1; line 0 means "nowhere".
struct SourceLoc {
  std::shared_ptr<const SourceText> source;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 1;

  explicit operator bool() const { return line != 0; }

  /// The caller's place in C++, for the builder.
  static SourceLoc here(const std::source_location& place = std::source_location::current());
};

/// `file:line:col`, or the empty string for nowhere.
std::string to_string(const SourceLoc& loc);

}  // namespace gyre
