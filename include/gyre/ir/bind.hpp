/// Checks a caller's arguments against a program's symbols and puts them where ids find them.
///
/// Every complaint is a UsageError that names the object and the numbers. Leaves out devices and
/// storage for `temp` buffers, which belong to executors.
#pragma once

#include "gyre/ir/arguments.hpp"
#include "gyre/ir/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gyre::ir {

/// The arguments of one run by SymbolId, complete and consistent.
struct Bound {
  /// Sizes, `in` and `inout` scalars hold their value, other scalars the zero of their type, and
  /// what is no scalar a Value of no type.
  std::vector<Value> values;
  /// Every buffer with its type and extents; a `temp` has no data.
  std::vector<BufferView> buffers;
  /// Equal numbers mean equal sizes and buffers: who has seen it need not look at them again.
  std::uint64_t memory_version = 0;

  const Value& value(SymbolId id) const { return values[static_cast<std::size_t>(id)]; }
  const BufferView& buffer(SymbolId id) const { return buffers[static_cast<std::size_t>(id)]; }
};

/// Resolves `arguments`, or throws UsageError.
///
/// A size that is not given follows from the first bound buffer that has an extent `n`, `n + c`,
/// `n - c` or `c * n`. Then every extent is computed and compared. A buffer of no elements may have
/// no memory; inputs may overlap inputs, and nothing may overlap what the program writes.
Bound resolve(std::span<const Symbol> symbols, const Arguments& arguments);

}  // namespace gyre::ir
