/// What stands before each leaf of a long list: the fold of all leaves before it, in the shape of
/// gyre/ir/scan_shape.hpp.
#pragma once

#include "sketch.hpp"

#include <functional>

namespace gyre::passes {

/// How two parts of a fold by `op` make one: counts are added up.
ir::FoldOp fold_of_parts(ir::FoldOp op);
/// `a` and then `b`, parts of such a fold.
Term combine(ir::FoldOp op, const Term& a, const Term& b);

struct Prefix {
  /// By leaf: its own value, and the fold of those before it.
  Array leaf;
  Array before;
};

/// Writes the folds by `op` of `leaves` leaves, at most `most`, whose values `value_of_leaf` gives;
/// they are of `type`.
Prefix write_prefix(Sketch& sketch, ir::FoldOp op, ir::ScalarType type, const Term& leaves,
                    const Term& most, const std::function<Term(const Term&)>& value_of_leaf);

}  // namespace gyre::passes
