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

#if defined(__cpp_lib_source_location)
/// A place in C++, as the compiler knows it.
using CallSite = std::source_location;
#else
/// std::source_location for clang 14, whose standard library has the header but not the class.
class CallSite {
 public:
  static constexpr CallSite current(const char* file = __builtin_FILE(),
                                    std::uint32_t line = __builtin_LINE(),
                                    std::uint32_t column = __builtin_COLUMN()) {
    return {file, line, column};
  }
  constexpr const char* file_name() const { return file_; }
  constexpr std::uint32_t line() const { return line_; }
  constexpr std::uint32_t column() const { return column_; }

 private:
  constexpr CallSite(const char* file, std::uint32_t line, std::uint32_t column)
      : file_(file), line_(line), column_(column) {}

  const char* file_;
  std::uint32_t line_;
  std::uint32_t column_;
};
#endif

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
  static SourceLoc here(const CallSite& place = CallSite::current());
};

/// `file:line:col`, or the empty string for nowhere.
std::string to_string(const SourceLoc& loc);

}  // namespace gyre
