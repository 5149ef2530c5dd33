/// The command line that every bench has.
///
///     BENCH [--filter TEXT] [--quick] [--resume]
#pragma once

#include <string>
#include <vector>

namespace gyre::bench {

struct Options {
  /// Only rows whose name (`bench/problem/way`) holds this are measured.
  std::string filter;
  /// Fewer sizes and runs: whether everything works, rather than how fast it is.
  bool quick = false;
  /// Goes on where a run on such a machine was ended: rows that its results have stay, but for
  /// those of its last problem, whose ways are to be measured one after the other.
  bool resume = false;

  /// How often something is measured.
  int runs(int in_full, int if_quick) const { return quick ? if_quick : in_full; }
};

/// UsageError, which says what there is, for any other word.
Options parse_options(int count, char** words);

}  // namespace gyre::bench
