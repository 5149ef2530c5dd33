/// The files of tests/conformance: a program, and below it runs of it with what comes of each.
///
///     program halve(n: size) { … }      the program; what follows are comments to it
///     #: n=3 x=[1 2 4]                  a run, and what it is given
///     #= completed                      how it ends
///     #> trips halve/while#0: 2         what it counts
///     #> x = 0.25 0.5 1.0               what it leaves
///
/// A run is given what the run before was given, with changes. `docs/testing.md` has the whole
/// form. Leaves out what the words mean (conformance_arguments.hpp) and how results are written
/// (conformance_report.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gyre::support {

struct ConformanceRun {
  /// What sizes, scalars and buffers are given, as written, by name.
  std::map<std::string, std::string> given = {};
  /// `--checked`: the run means something in checked mode alone.
  bool checked = false;
  /// `--max-trips=N`.
  std::optional<std::uint64_t> max_trips = {};
  /// The lines that say all this, with the comments before them, and the lines of results.
  std::string head = {};
  std::string results = {};
};

struct ConformanceFile {
  /// Everything before the first run; the whole text is what is parsed.
  std::string program;
  std::vector<ConformanceRun> runs;
  /// Comments below the last run.
  std::string tail;
};

/// Reads `text`. Throws std::runtime_error that names the line where it has not the form above.
ConformanceFile parse_conformance(const std::string& text);

/// The text of `file` with `results` in place of those of its runs.
std::string with_results(const ConformanceFile& file, const std::vector<std::string>& results);

/// Every file of the suite, by its path in tests/conformance without the ending:
/// `loops/zero_trips`. None where there is no such folder.
std::map<std::string, std::filesystem::path> conformance_files();

}  // namespace gyre::support
