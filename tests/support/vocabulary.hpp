/// Which words of the language a program uses: for tests that a set of programs leaves none out.
#pragma once

#include "gyre/ir/program.hpp"

#include <set>
#include <string>

namespace gyre::support {

using Vocabulary = std::set<std::string>;

/// The kinds of regions, the operators and folds with their types, and the promises in `program`.
Vocabulary vocabulary_of(const ir::Program& program);

/// Whether calls belong to what is asked for: those of tests are exact.
enum class Calls { Without, With };

/// What `used` lacks of the language, but inexact functions and what only passes make; one word a
/// line.
std::string missing_from(const Vocabulary& used, Calls calls = Calls::Without);

/// What `used` has beyond that: such programs need not give the same bits everywhere.
std::string beyond_exact(const Vocabulary& used, Calls calls = Calls::Without);

}  // namespace gyre::support
