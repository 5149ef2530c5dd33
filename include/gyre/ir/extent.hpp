/// Extents of buffers and initial values of inputs: expressions of literals, sizes and what is
/// bound before the launch, read in both directions.
#pragma once

#include "gyre/ir/expr.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gyre::ir {

/// The value of `expr`, where `values` holds what it reads by SymbolId. Unlike a program's own
/// arithmetic, i64 does not wrap here: an overflow is a UsageError that starts with `what`.
Value eval_constant(const Expr& expr, std::span<const Value> values, const std::string& what);

struct SolvedSize {
  SymbolId size;
  std::int64_t value;
};
/// The size that makes `extent` equal `actual`, where it is `n`, `n + c`, `n - c` or `c * n`; its
/// sign is not looked at.
std::optional<SolvedSize> solve_extent(const Expr& extent, std::int64_t actual);

}  // namespace gyre::ir
