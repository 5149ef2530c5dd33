/// Reads the programs that commands are given.
#pragma once

#include "gyre/base/source_loc.hpp"
#include "gyre/ir/program.hpp"

#include <memory>
#include <string>

namespace gyre::cli {

/// The text of `file`, named as the user named it; `-` is standard input. Throws as io::read_file.
std::shared_ptr<const SourceText> read_source(const std::string& file);

/// The program in `file`. Throws ProgramError where its text has errors of syntax or of names; what
/// the verifier finds is not looked for.
ir::Program read_program(const std::string& file);

/// As read_program, and verified: every fault is in the ProgramError; warnings go to standard
/// error.
ir::Program read_verified_program(const std::string& file);

}  // namespace gyre::cli
