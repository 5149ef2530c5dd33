#include "run_words.hpp"

#include "gyre/base/error.hpp"

#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace gyre::cli {
namespace {

using ir::Intent;
using ir::Symbol;
using ir::SymbolKind;

bool is_input(const Symbol& symbol) {
  return symbol.intent == Intent::In || symbol.intent == Intent::Inout;
}
bool is_output(const Symbol& symbol) {
  return symbol.intent == Intent::Out || symbol.intent == Intent::Inout;
}
bool is_callers(const Symbol& symbol) {
  return symbol.kind == SymbolKind::Size || is_input(symbol) || is_output(symbol);
}

// What a caller's symbol is, and what the command line can say of it.
std::string role(const Symbol& symbol) {
  if (symbol.kind == SymbolKind::Size) return "a size: --set " + symbol.name + "=NUMBER";
  if (symbol.kind == SymbolKind::Scalar) {
    return is_input(symbol) ? "a scalar: --set " + symbol.name + "=VALUE"
                            : "an output of the run, which is printed";
  }
  return is_input(symbol) ? "a buffer that is read: --in " + symbol.name + "=FILE"
                          : "a buffer that is written: --out " + symbol.name + "=FILE";
}

void refuse_unknown(const ir::Program& program, const std::string& option,
                    const Assignments& assignments, bool (*takes)(const Symbol&)) {
  std::vector<std::string> names;
  std::map<std::string_view, const Symbol*> callers;
  for (const Symbol& symbol : program.symbols) {
    if (!is_callers(symbol)) continue;
    callers.emplace(symbol.name, &symbol);
    if (takes(symbol)) names.push_back(symbol.name);
  }
  for (const auto& [name, value] : assignments) {
    const auto found = callers.find(name);
    if (found != callers.end() && takes(*found->second)) continue;
    const std::string what = option + " " + name + "=" + value + ": ";
    if (found != callers.end()) {
      throw UsageError(what + "'" + name + "' is " + role(*found->second));
    }
    const auto nearest = nearest_name(name, names);
    std::string hint = nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
    if (nearest.empty() && !names.empty())
      hint = fmt::format("; it has {}", fmt::join(names, ", "));
    throw UsageError(what + "program '" + program.name + "' has nothing of that name to give" +
                     hint);
  }
}

}  // namespace

bool takes_set(const Symbol& symbol) {
  return symbol.kind == SymbolKind::Size || (symbol.kind == SymbolKind::Scalar && is_input(symbol));
}
bool takes_in(const Symbol& symbol) {
  return symbol.kind == SymbolKind::Buffer && is_input(symbol);
}
bool takes_out(const Symbol& symbol) {
  return symbol.kind == SymbolKind::Buffer && is_output(symbol);
}

Assignments parse_assignments(const std::string& option, const std::vector<std::string>& words) {
  Assignments assignments;
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size()) {
      throw UsageError(option + " takes NAME=VALUE, not '" + word + "'");
    }
    const std::string name = word.substr(0, equals);
    if (!assignments.emplace(name, word.substr(equals + 1)).second) {
      throw UsageError(option + " gives '" + name + "' twice");
    }
  }
  return assignments;
}

void verify_names(const ir::Program& program, const RunWords& words) {
  refuse_unknown(program, "--set", words.set, takes_set);
  refuse_unknown(program, "--in", words.in, takes_in);
  refuse_unknown(program, "--out", words.out, takes_out);
}

}  // namespace gyre::cli
