#include "gyre/builder/fold.hpp"

#include "gyre/base/error.hpp"
#include "gyre/builder/recorder.hpp"

namespace gyre::builder::detail {

AnyValue fold(ir::FoldOp op, const std::vector<OpenRange>& ranges,
              const std::function<AnyValue(const std::shared_ptr<Recorder>&,
                                           const std::vector<ir::Range>&)>& operand) {
  std::vector<AnyValue> bounds;
  for (const OpenRange& range : ranges) {
    bounds.push_back(range.begin);
    bounds.push_back(range.end);
    if (range.step.expr) bounds.push_back(range.step);
  }
  AnyValue result{nullptr, common_owner(bounds)};
  if (!result.owner) {
    throw UsageError("the fold '" + std::string(ir::name_of(op)) +
                     "' over constants belongs to no program; begin it at program.constant(0)");
  }
  Recorder& recorder = *result.owner;
  const auto bound = bind(recorder, ranges, {});
  AnyValue value;
  recorder.with_indices(
      bound.size(), [&] { recorder.within_fold([&] { value = operand(result.owner, bound); }); });
  for (const AnyValue& one : bounds) result.nodes += one.nodes;
  result.nodes += value.nodes;
  result.expr = ir::make_fold(op, bound, recorder.take(value));
  Recorder::check_size(result);
  return result;
}

}  // namespace gyre::builder::detail
