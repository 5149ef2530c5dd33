#include "prefix.hpp"

#include "gyre/base/error.hpp"
#include "gyre/ir/eval.hpp"
#include "gyre/ir/scan_shape.hpp"

namespace gyre::passes {

using ir::FoldOp;
using ir::Op;
using ir::ScalarType;

namespace {

// What the parts of `width` hold before place `i` of theirs, where `upto` folds them up to and
// including each place.
Term before_in_part(FoldOp op, const Array& upto, const Term& i, const Term& width) {
  const Term nothing = ir::make_literal(ir::fold_empty(op, upto.type));
  return select(i % width != 0, upto[i - 1], nothing);
}

}  // namespace

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

Term Prefix::before(const Term& leaf) const {
  const Term within = before_in_part(op, in_group, leaf, ir::scan_shape::group);
  return combine(op, before_group[leaf / ir::scan_shape::group], within);
}

Prefix write_prefix(Sketch& sketch, FoldOp op, ScalarType type, const Term& leaves,
                    const Term& most, const std::function<Term(const Term&)>& value_of_leaf) {
  constexpr std::int64_t width = ir::scan_shape::group;
  const Term most_groups = most / width + 1;
  const Array leaf = sketch.temp("leaf", type, most);
  const Array in_group = sketch.temp("in_group", type, most);
  const Array in_block = sketch.temp("in_block", type, most_groups);
  const Array before_group = sketch.temp("before_group", type, most_groups + 1);

  const Term groups = parts(leaves, width);
  const Term root = apply(Op::Ceil, apply(Op::Sqrt, cast(ScalarType::F64, groups)));
  const Term block =
      sketch.let("width", max(ir::scan_shape::least_block, cast(ScalarType::I64, root)));
  // The last of its part has the fold of the whole part, which needs no sweep of its own.
  const auto group = [&](const Term& g) {
    return in_group[min(g * width + (width - 1), leaves - 1)];
  };
  sketch.foreach(leaves, [&](const Term& l) { sketch.store(leaf, l, value_of_leaf(l)); });
  sketch.foreach(leaves, [&](const Term& l) {
    sketch.store(in_group, l,
                 sketch.fold(op, l / width * width, l + 1, [&](const Term& k) { return leaf[k]; }));
  });
  // Groups are few, and their terms lie apart: a thread would wait for one after the other. A loop
  // with teams is no kernel of its own, which is worth more where lists are short.
  const ir::Team team = sketch.in_loop() ? ir::Team::Any : ir::Team::Warp;
  const auto for_groups = [&](const Term& count, const Sketch::Body& body) {
    sketch.foreach(count, body, team);
  };
  for_groups(groups, [&](const Term& g) {
    sketch.store(in_block, g, sketch.fold(op, g / block * block, g + 1, group));
  });
  for_groups(groups + 1, [&](const Term& g) {
    const Term blocks = sketch.fold(op, 0, g / block,
                                    [&](const Term& b) { return in_block[b * block + block - 1]; });
    sketch.store(before_group, g, combine(op, blocks, before_in_part(op, in_block, g, block)));
  });
  return {op, groups, in_group, before_group};
}

}  // namespace gyre::passes
