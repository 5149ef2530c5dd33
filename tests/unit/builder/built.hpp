/// Running what the builder built, by the interpreter.
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/builder/program.hpp"
#include "gyre/ir/interpret.hpp"
#include "gyre/verifier/verify.hpp"

#include <string>
#include <vector>

namespace gyre::builder {

/// The memory of a vector, as one dimension unless `extents` says otherwise.
template <class T>
ir::BufferView view(std::vector<T>& memory, std::vector<std::int64_t> extents = {}) {
  if (extents.empty()) extents = {static_cast<std::int64_t>(memory.size())};
  return {ir::type_of<T>, std::move(extents), memory.data()};
}

inline Diagnostics diagnose(const ir::Program& program) {
  Diagnostics diagnostics;
  verifier::verify(program, diagnostics);
  return diagnostics;
}

/// The outcome of a program that must be correct. Throws ProgramError where it is not.
inline ir::Outcome run(Program& p, const ir::Arguments& arguments = {}) {
  const auto program = p.finish();
  auto diagnostics = diagnose(program);
  if (diagnostics.has_errors()) throw ProgramError(std::move(diagnostics));
  return ir::interpret(program, arguments);
}

/// The rules that a program breaks.
inline std::vector<std::string> broken_rules(Program& p) {
  std::vector<std::string> rules;
  const auto diagnostics = diagnose(p.finish());
  for (const Diagnostic& one : diagnostics.all()) {
    if (one.severity == Severity::Error) rules.push_back(one.rule);
  }
  return rules;
}

}  // namespace gyre::builder
