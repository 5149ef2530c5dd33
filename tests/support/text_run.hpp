/// Runs a program given as text, for tests of what programs mean.
#pragma once

#include "gyre/ir/run_options.hpp"
#include "gyre/text/parser.hpp"
#include "support/same_run.hpp"

#include <string>

namespace gyre::support {

/// Wraps `body` as `program p(n: size) { body }`, verifies it, and interprets it on `data`; n is 8
/// unless `data` says otherwise. Throws ProgramError where the text is wrong.
Run run_text(const std::string& body, OwnedArguments data = {}, const ir::RunOptions& options = {},
             const text::CallRegistry& calls = {});

/// The output scalar `name` of a run.
template <class T>
T scalar(const Run& run, const std::string& name) {
  return run.outcome.scalars.at(name).as<T>();
}

}  // namespace gyre::support
