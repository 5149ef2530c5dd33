/// Writes a Program as text that parses back to the same meaning.
///
/// `print(parse(print(p))) == print(p)` for every program, also one that passes have changed: what
/// a literal or an operand means is written out (`i64(5)`) wherever its surroundings would not
/// bring it back, and a name that would hide another gets a number. Leaves out comments and layout
/// of a source: that is format.hpp.
#pragma once

#include "gyre/ir/program.hpp"

#include <string>

namespace gyre::text {

std::string print(const ir::Program& program);

/// One expression, on one line, with the symbols' own names: for messages.
std::string print_expr(const ir::Program& program, const ir::Expr& expr);

/// One region with all it holds, with the symbols' own names: for messages and `explain`.
std::string print_region(const ir::Program& program, const ir::Region& region);

}  // namespace gyre::text
