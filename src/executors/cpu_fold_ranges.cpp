#include "cpu_fold_ranges.hpp"

#include "gyre/ir/strands.hpp"

#include <limits>

namespace gyre::executors::cpu {
namespace {

using Range = FoldScratch::Range;

void make_room(const Context& context, const FoldCode& fold, FoldScratch& scratch) {
  if (!scratch.ranges.empty()) return;
  const auto lanes = static_cast<std::size_t>(context.capacity);
  scratch.ranges.resize(fold.ranges.size());
  for (Range& range : scratch.ranges) {
    range.begin.resize(lanes);
    range.step.resize(lanes);
    range.count.resize(lanes);
  }
  scratch.terms.resize(lanes);
  scratch.strands.resize(2 * strands::max_inner);
}

template <class I>
void read_range(Machine& machine, const Context& context, const FoldRange& range, Range& read,
                const Lanes& lanes) {
  const Operand<I> begin = machine.operand<I>(range.begin, context);
  const Operand<I> end = machine.operand<I>(range.end, context);
  if (range.step == no_register) {
    for_each_lane(lanes, [&](int lane) {
      const auto at = static_cast<std::size_t>(lane);
      const std::int64_t from = begin[lane];
      const std::int64_t to = end[lane];
      read.begin[at] = from;
      read.step[at] = 1;
      read.count[at] = static_cast<std::int64_t>(ops::range_extent(from, to, 1));
    });
    return;
  }
  const Operand<I> step = machine.operand<I>(range.step, context);
  for_each_lane(lanes, [&](int lane) {
    const auto at = static_cast<std::size_t>(lane);
    read.begin[at] = begin[lane];
    read.step[at] = step[lane];
    read.count[at] =
        static_cast<std::int64_t>(ops::range_extent(begin[lane], end[lane], step[lane]));
  });
}

std::int64_t count_terms(const FoldScratch& scratch, std::size_t lane) {
  std::int64_t count = 1;
  bool too_many = false;
  for (const Range& range : scratch.ranges) {
    if (range.count[lane] == 0) return 0;
    too_many |= range.count[lane] < 0 || __builtin_mul_overflow(count, range.count[lane], &count);
  }
  // More points than any run reaches.
  return too_many ? std::numeric_limits<std::int64_t>::max() : count;
}

}  // namespace

void read_fold_ranges(Machine& machine, const Context& context, const FoldCode& fold,
                      FoldScratch& scratch, const Lanes& lanes) {
  make_room(context, fold, scratch);
  for (std::size_t d = 0; d < fold.ranges.size(); ++d) {
    if (machine.body().registers[fold.ranges[d].begin].type == ir::ScalarType::I32) {
      read_range<std::int32_t>(machine, context, fold.ranges[d], scratch.ranges[d], lanes);
    } else {
      read_range<std::int64_t>(machine, context, fold.ranges[d], scratch.ranges[d], lanes);
    }
  }
  if (fold.ranges.size() == 1) return;
  for_each_lane(lanes, [&](int lane) {
    const auto at = static_cast<std::size_t>(lane);
    scratch.terms[at] = count_terms(scratch, at);
  });
}

}  // namespace gyre::executors::cpu
