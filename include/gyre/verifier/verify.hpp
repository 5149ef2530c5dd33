/// The verifier: says of any program, parsed or built, which rules of the language it breaks.
///
/// Leaves out syntax and the meaning of names, which are the parser's, and everything that only a
/// run can know (an index outside its buffer, a broken promise).
#pragma once

#include "gyre/base/diagnostic.hpp"
#include "gyre/ir/program.hpp"

#include <span>
#include <string_view>

namespace gyre::verifier {

class Survey;
class Report;

/// Who can break a rule.
enum class Breaker {
  /// A text or a built program.
  Anyone,
  /// Only a program built in C++ or a text with calls: the grammar, the parser or the lack of a
  /// registry keep all other texts from it.
  Builder,
  /// As Builder; moreover all rules below rely on this one, and none of them is checked where it is
  /// broken.
  BuilderFirst,
};

/// One thing that every program obeys.
struct Rule {
  /// Kebab-case, as diagnostics, golden tests and documentation spell it: `store-place`.
  std::string_view name;
  /// What holds, in one sentence.
  std::string_view statement;
  void (*check)(const Survey&, Report&);
  Breaker breaker = Breaker::Anyone;
};

/// Every rule, in the order in which they are checked.
std::span<const Rule> rules();

/// Adds to `diagnostics` each breach of a rule, in the order of the places they stand at. A program
/// without errors is one that every pass and executor takes.
void verify(const ir::Program& program, Diagnostics& diagnostics);

}  // namespace gyre::verifier
