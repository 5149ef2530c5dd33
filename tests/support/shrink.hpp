/// Makes a failing program small enough to read.
#pragma once

#include "gyre/ir/program.hpp"

#include <functional>

namespace gyre::support {

/// A program that still fails and of which no single edit does: dropping a statement, putting a
/// block in the place of what holds it, or an operand or a literal in that of an expression. Only
/// programs that the verifier accepts are tried.
ir::Program shrink(ir::Program program, const std::function<bool(const ir::Program&)>& still_fails);

}  // namespace gyre::support
