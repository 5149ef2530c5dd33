/// What a bench has found out: rows of figures, the facts of the machine, and both as JSON.
#pragma once

#include "support/options.hpp"

#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace gyre::bench {

/// What a bench is about.
struct Subject {
  /// The name of its program and of its results.
  std::string name;
  std::string question;
  std::string unit;
};

/// Collects rows, printing and writing each as it comes: a run that a time limit ends has left what
/// it had by then.
class Report {
 public:
  Report(Subject subject, Options options);

  const Options& options() const { return options_; }
  /// Whether the command line asks for this row, and no run that this one resumes has it. `problem`
  /// is what is done, `way` who does it.
  bool wants(const std::string& problem, const std::string& way) const;
  /// Whether a row of that problem may be wanted: no run that this one resumes has any.
  bool may_want(const std::string& problem) const;

  /// `figures` are members of the row beside its problem and way.
  void add(const std::string& problem, const std::string& way, const nlohmann::json& figures);
  /// A row that could not be measured, and why.
  void leave_out(const std::string& problem, const std::string& way, const std::string& why);
  /// Something that belongs to no row.
  void note(const std::string& name, const nlohmann::json& value);

  /// Writes `NAME.json` into GYRE_BENCH_RESULTS, else into the source tree's bench/results; it says
  /// whether the bench was `finished`. Without a row nothing is written.
  void write() const;
  /// The same, once all is measured.
  void finish();

 private:
  void resume();

  Subject subject_;
  Options options_;
  nlohmann::json content_;
  /// Problem and way of each row that an earlier run has left.
  std::set<std::pair<std::string, std::string>> kept_;
  /// The machine of this run, where it resumes one and has added no row yet.
  nlohmann::json resuming_;
};

/// Runs a bench: `measure` fills the report, which is then written. What it throws is told in one
/// line, and the rows that it had by then are written all the same. The exit code of the program.
int run_bench(int count, char** words, const Subject& subject, void (*measure)(Report&));
/// The same for a bench that needs a GPU: without one it says so, and ends with 77.
int run_gpu_bench(int count, char** words, const Subject& subject, void (*measure)(Report&));

}  // namespace gyre::bench
