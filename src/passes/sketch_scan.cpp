#include "gyre/ir/scan_shape.hpp"
#include "prefix.hpp"
#include "primitive_sketches.hpp"

#include <optional>

namespace gyre::passes {

void sketch_scan(Sketch& sketch, const ir::Primitive& op) {
  const PrimitiveTerms terms(sketch, op);
  terms.check_room();
  sketch_scan(sketch, op, terms);
}

void sketch_scan(Sketch& sketch, const ir::Primitive& op, const PrimitiveTerms& terms) {
  const Array y = sketch.array(op.outputs[0]);
  const Term& n = terms.count();

  std::optional<Array> placed;
  if (terms.wants_place(0)) {
    placed = sketch.temp("term", terms.type(0), sketch.extent(y));
    sketch.foreach(n, [&](const Term& p) { sketch.store(*placed, p, terms.at(0, p)); });
  }
  const auto term = [&](const Term& p) { return placed ? (*placed)[p] : terms.at(0, p); };

  constexpr std::int64_t width = ir::scan_shape::leaf;
  const ir::FoldOp of_parts = fold_of_parts(op.fold);
  const Prefix prefix =
      write_prefix(sketch, of_parts, ir::fold_type(op.fold, terms.type(0)), parts(n, width),
                   sketch.extent(y) / width + 1, [&](const Term& l) {
                     return sketch.fold(op.fold, l * width, min(l * width + width, n), term);
                   });
  sketch.foreach(n, [&](const Term& p) {
    const Term leaf = sketch.let("own", p / width);
    const Term own = sketch.fold(op.fold, leaf * width, op.option ? p : p + 1, term);
    sketch.store(y, p, combine(of_parts, prefix.before(leaf), own));
  });
}

}  // namespace gyre::passes
