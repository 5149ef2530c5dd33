#include "gyre/builder/range.hpp"

#include "gyre/builder/recorder.hpp"

namespace gyre::builder::detail {

std::vector<ir::Range> bind(Recorder& recorder, const std::vector<OpenRange>& ranges,
                            const SourceLoc& loc) {
  std::vector<ir::Range> bound;
  for (const OpenRange& range : ranges) {
    ir::Range one;
    one.begin = recorder.take(range.begin);
    one.end = recorder.take(range.end);
    if (range.step.expr) one.step = recorder.take(range.step);
    ir::unify_range(one);
    // Where literals alone would make it an i32, C++ may have chosen an i64.
    one.begin = ir::coerce(one.begin, range.type);
    one.end = ir::coerce(one.end, range.type);
    if (one.step) one.step = ir::coerce(one.step, range.type);
    one.index = recorder.add_index(range.name, range.type, loc, bound.size());
    bound.push_back(std::move(one));
  }
  return bound;
}

AnyValue read_index(const std::shared_ptr<Recorder>& recorder, const ir::Range& range) {
  return {ir::make_read(range.index, (*recorder)[range.index].type), recorder};
}

}  // namespace gyre::builder::detail
