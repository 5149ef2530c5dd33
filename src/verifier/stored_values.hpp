/// Every place where a value is taken by something that has a type already.
#pragma once

#include "survey.hpp"

namespace gyre::verifier {

/// Calls `f(site, region kind, value, wanted type, symbol)` for each stored value: `region kind` is
/// the Assign, Scatter, Fill, Primitive, Let or Declare that takes it.
template <class F>
void each_stored_value(const Survey& survey, F f) {
  const auto wanted = [&](ir::SymbolId id) { return ir::loaded_type(survey.symbol(id).type); };
  survey.each<ir::Assign>([&](const RegionSite& at, const ir::Assign& op) {
    f(at, op, op.value, wanted(op.place.symbol), op.place.symbol);
  });
  survey.each<ir::Scatter>([&](const RegionSite& at, const ir::Scatter& op) {
    f(at, op, op.value, wanted(op.place.symbol), op.place.symbol);
  });
  survey.each<ir::Fill>([&](const RegionSite& at, const ir::Fill& op) {
    f(at, op, op.value, wanted(op.buffer), op.buffer);
  });
  survey.each<ir::Primitive>([&](const RegionSite& at, const ir::Primitive& op) {
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      const auto output = ir::output_of(op, i);
      if (!output || *output >= op.outputs.size()) continue;
      f(at, op, op.operands[i], wanted(op.outputs[*output]), op.outputs[*output]);
    }
  });
  survey.each<ir::Let>([&](const RegionSite& at, const ir::Let& op) {
    f(at, op, op.value, wanted(op.symbol), op.symbol);
  });
  survey.each<ir::Declare>([&](const RegionSite& at, const ir::Declare& op) {
    const ir::Expr& initial = survey.symbol(op.symbol).initial;
    if (initial) f(at, op, initial, wanted(op.symbol), op.symbol);
  });
}

}  // namespace gyre::verifier
