#include "gyre/builder/primitives.hpp"

#include "gyre/builder/recorder.hpp"

namespace gyre::builder {

void Primitives::add_primitive(ir::Primitive op, const std::vector<detail::OpenRange>& over,
                               const std::vector<detail::Object>& outputs,
                               const std::vector<PerIndex>& operands, const CallSite& at) {
  const auto loc = SourceLoc::here(at);
  const auto bound = detail::bind(*recorder(), over, loc);
  op.range = bound.front();
  for (const detail::Object& output : outputs) {
    recorder()->check_owner(output.owner.get());
    op.outputs.push_back(output.symbol);
  }
  recorder()->with_indices(1, [&] {
    recorder()->within_fold([&] {
      for (const PerIndex& operand : operands)
        op.operands.push_back(recorder()->take(operand(bound)));
    });
  });
  recorder()->record(std::move(op), loc);
}

}  // namespace gyre::builder
