/// Faults of a program's author: collected, located, many per run.
///
/// Faults of the machine and of gyre itself are exceptions (error.hpp); outcomes of a run are
/// values (ir/outcome.hpp).
#pragma once

#include "gyre/base/source_loc.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

enum class Severity { Error, Warning };

/// One fault: what is wrong, where, and what to do about it.
struct Diagnostic {
  Severity severity = Severity::Error;
  /// The rule that was broken, in kebab-case: `unknown-name`, `store-place`. Golden tests and
  /// documentation use the same word.
  std::string rule;
  std::string message;
  SourceLoc loc;
  /// The region path (`cg/while#0/foreach#1`) where there is one.
  std::string region;
  /// What to do instead; empty where the message says it all.
  std::string hint;
};

/// Collects diagnostics in the order they are found.
class Diagnostics {
 public:
  /// Past this many errors further ones are counted but not kept: nobody reads the thousandth.
  static constexpr std::size_t max_kept = 100;

  void add(Diagnostic diagnostic);
  void error(std::string rule, const SourceLoc& loc, std::string message, std::string hint = {});
  void warning(std::string rule, const SourceLoc& loc, std::string message, std::string hint = {});

  bool has_errors() const { return error_count_ != 0; }
  std::size_t error_count() const { return error_count_; }
  const std::vector<Diagnostic>& all() const { return kept_; }
  /// Drops what was added after the first `count`; for a parser that takes back a guess.
  void truncate(std::size_t count);

 private:
  std::vector<Diagnostic> kept_;
  std::size_t error_count_ = 0;
};

/// `file:line:col: error: message [rule]`, the source line with a caret under it, and the hint.
std::string render(const Diagnostic& diagnostic);
/// Every diagnostic, one after the other, and how many errors were left off.
std::string render(const Diagnostics& diagnostics);

/// The word of `candidates` nearest to `name` by edit distance, or empty when none is near enough
/// to be what was meant.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace gyre
