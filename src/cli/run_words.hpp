/// The words that `gyre run` is given, and whether the program has what they name.
///
/// Leaves out what the values mean (run_arguments.hpp).
#pragma once

#include "gyre/ir/program.hpp"

#include <map>
#include <string>
#include <vector>

namespace gyre::cli {

/// `name=value` by name.
using Assignments = std::map<std::string, std::string>;

/// The words given to `option`. Throws UsageError for one that is no assignment, and for a name
/// that is given twice.
Assignments parse_assignments(const std::string& option, const std::vector<std::string>& words);

/// A run's command line: values by --set, contents by --in, files by --out.
struct RunWords {
  Assignments set;
  Assignments in;
  Assignments out;
};

/// Whether --set, --in and --out are for `symbol`: what the caller gives and what the caller gets.
bool takes_set(const ir::Symbol& symbol);
bool takes_in(const ir::Symbol& symbol);
bool takes_out(const ir::Symbol& symbol);

/// Throws UsageError for a name that its option is not for: it says what the name is, or what was
/// meant.
void verify_names(const ir::Program& program, const RunWords& words);

}  // namespace gyre::cli
