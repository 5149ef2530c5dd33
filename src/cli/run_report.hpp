/// What `gyre run` says of a run: for a person, and for a program.
#pragma once

#include "gyre/runtime/result.hpp"
#include "run_arguments.hpp"

#include <string>
#include <vector>

namespace gyre::cli {

/// A run and what it was of.
struct RunReport {
  std::string program;
  std::string executor;
  Result result;
  double seconds = 0;
  /// What the run wrote; empty where it was ended from outside or at fault, for then nothing is
  /// promised of them.
  std::vector<RunBuffer> outputs;
};

/// A few lines for a person: how it ended, scalars, trips, arms, and the first elements of buffers
/// that go to no file.
std::string print_report(const RunReport& report);

/// One JSON object. Numbers that are not finite are null.
std::string print_json(const RunReport& report);

}  // namespace gyre::cli
