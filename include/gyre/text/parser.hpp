/// Reads a `.gyre` text into a Program.
///
/// Finds faults of syntax and of names. What is well formed but wrong (types, places, intents,
/// jumps) is left for the verifier: an expression whose operands do not fit has the type Invalid.
#pragma once

#include "gyre/base/diagnostic.hpp"
#include "gyre/ir/callee.hpp"
#include "gyre/ir/program.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace gyre::text {

/// The calls that a text may name.
using CallRegistry = std::map<std::string, std::shared_ptr<const ir::Callee>, std::less<>>;

/// The program that `source` holds, its regions numbered; nothing where `diagnostics` got an error.
/// After so many errors as Diagnostics keeps, the rest of the text is not read.
std::optional<ir::Program> parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics,
                                 const CallRegistry& calls = {});
std::optional<ir::Program> parse(std::string name, std::string text, Diagnostics& diagnostics,
                                 const CallRegistry& calls = {});

/// As `parse`. Throws ProgramError with the diagnostics where there are errors.
ir::Program parse_program(std::string name, std::string text, const CallRegistry& calls = {});

/// Whether `source` has the form of a program: faults of syntax go to `diagnostics`, names are not
/// looked up.
bool check_syntax(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics);

}  // namespace gyre::text
