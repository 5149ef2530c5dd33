/// The loops that reduce terms in the shape of ir/strands.hpp, for each fold and type of terms.
#pragma once

#include "cpu_lanes.hpp"
#include "gyre/ir/op.hpp"
#include "gyre/ir/scalar_type.hpp"

#include <cstddef>
#include <cstdint>

namespace gyre::executors::cpu {

/// The index of a term, for folds that give one: first + t * step.
struct TermIndex {
  std::int64_t first;
  std::int64_t step;
};

/// Partials are opaque, `partial_size` bytes each, at most 16 and aligned as an i64.
struct FoldTable {
  ir::FoldOp op;
  /// Of the terms and of the result.
  ir::ScalarType type;
  ir::ScalarType result_type;
  std::size_t partial_size;

  /// Sets `partials[i]` to term i, or with `add` adds term i to it; terms lie `stride` (0 or 1)
  /// apart, and the index counts terms.
  void (*take)(void* partials, const void* terms, int stride, int count, bool add, TermIndex index);
  /// Combines `count` > 0 strands as the adjacent-pair tree into the first.
  void (*combine)(void* partials, std::int64_t count);
  /// Writes the value of a partial, of `result_type`.
  void (*finish)(const void* partial, void* result);
  /// Writes the value of a fold without terms.
  void (*finish_empty)(void* result);
  /// The term that changes nothing, as a value of `type`.
  void (*neutral)(void* term);
  /// Folds each segment's terms, complete folds all, into element `lane` of `results`. `begin` and
  /// `step` of a lane's range give indices.
  void (*reduce)(const Segment* segments, int count, const void* terms, void* results,
                 const std::int64_t* begin, const std::int64_t* step, void* strands);
  /// As `reduce`, term t being a[t] * b[t]; `products` is room for all. Null but for sums.
  void (*reduce_products)(const Segment* segments, int count, const void* a, const void* b,
                          void* products, void* results, void* strands);
};

/// The loops for `op` over terms of `type`.
const FoldTable& fold_table(ir::FoldOp op, ir::ScalarType type);

}  // namespace gyre::executors::cpu
