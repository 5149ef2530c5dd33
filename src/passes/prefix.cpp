#include "prefix.hpp"

#include "gyre/base/error.hpp"
#include "gyre/ir/scan_shape.hpp"

namespace gyre::passes {

using ir::FoldOp;
using ir::Op;
using ir::ScalarType;

FoldOp fold_of_parts(FoldOp op) {
  return op == FoldOp::Count ? FoldOp::Sum : op;
}

Term combine(FoldOp op, const Term& a, const Term& b) {
  switch (op) {
    case FoldOp::Sum: return a + b;
    case FoldOp::Prod: return a * b;
    case FoldOp::Min: return min(a, b);
    case FoldOp::Max: return max(a, b);
    case FoldOp::Any: return a || b;
    case FoldOp::All: return a && b;
    default: break;
  }
  GYRE_CHECK(false, "parts of a fold that has none");
  return a;
}

Prefix write_prefix(Sketch& sketch, FoldOp op, ScalarType type, const Term& leaves,
                    const Term& most, const std::function<Term(const Term&)>& value_of_leaf) {
  const Array leaf = sketch.temp("leaf", type, most);
  const Array before = sketch.temp("before", type, most);
  const Array group = sketch.temp("group", type, most / ir::scan_shape::least_width + 1);

  const Term root = apply(Op::Ceil, apply(Op::Sqrt, cast(ScalarType::F64, leaves)));
  const Term width =
      sketch.let("width", max(ir::scan_shape::least_width, cast(ScalarType::I64, root)));
  sketch.foreach(leaves, [&](const Term& l) { sketch.store(leaf, l, value_of_leaf(l)); });
  sketch.foreach(parts(leaves, width), [&](const Term& g) {
    sketch.store(group, g,
                 sketch.fold(op, g * width, min(g * width + width, leaves),
                             [&](const Term& l) { return leaf[l]; }));
  });
  sketch.foreach(leaves, [&](const Term& l) {
    const Term own = sketch.let("own", l / width);
    const Term groups = sketch.fold(op, 0, own, [&](const Term& g) { return group[g]; });
    const Term in_group = sketch.fold(op, own * width, l, [&](const Term& k) { return leaf[k]; });
    sketch.store(before, l, combine(op, groups, in_group));
  });
  return {leaf, before};
}

}  // namespace gyre::passes
