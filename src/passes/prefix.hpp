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

/// The folds by `op` of the leaves of a list, in groups.
struct Prefix {
  ir::FoldOp op;
  /// How many groups there are.
  Term groups;
  /// By leaf: the fold of the leaves of its group up to and including it.
  Array in_group;
  /// By group: the fold of all groups before it; behind the last one that of all groups.
  Array before_group;

  /// The fold of all leaves before `leaf`.
  Term before(const Term& leaf) const;
  /// The fold of all leaves.
  Term total() const { return before_group[groups]; }
};

/// Writes the folds by `op` of `leaves` leaves, at most `most`, whose values `value_of_leaf` gives;
/// they are of `type`.
Prefix write_prefix(Sketch& sketch, ir::FoldOp op, ir::ScalarType type, const Term& leaves,
                    const Term& most, const std::function<Term(const Term&)>& value_of_leaf);

}  // namespace gyre::passes
