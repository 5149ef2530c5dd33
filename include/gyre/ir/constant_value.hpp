/// What an expression is worth whatever the program is given.
#pragma once

#include "gyre/ir/expr.hpp"

#include <optional>

namespace gyre::ir {

/// The value of an expression of literals, casts and operators; none where it reads, loads or
/// folds.
std::optional<Value> constant_value(const Expr& expr);

}  // namespace gyre::ir
