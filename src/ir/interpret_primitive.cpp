#include "interpret_primitive.hpp"

#include "gyre/ir/eval.hpp"
#include "gyre/ir/scan_shape.hpp"
#include "gyre/ir/strands.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace gyre::ir {
namespace {

using Values = std::vector<Value>;

const Value& at(const Values& values, std::int64_t place) {
  return values[static_cast<std::size_t>(place)];
}

// Of terms `first` to `last`.
Value inner_fold(FoldOp op, ScalarType operand, const Values& terms, std::int64_t first,
                 std::int64_t last) {
  StrandFold fold(op, operand, strands::inner(last - first));
  for (std::int64_t i = first; i < last; ++i) fold.add(at(terms, i));
  return fold.finish();
}

// What combines the folds of parts of the terms: counts are added up.
FoldOp fold_of_parts(FoldOp op) {
  return op == FoldOp::Count ? FoldOp::Sum : op;
}

// The inner fold of each `width` neighbours.
Values folds_of_parts(FoldOp op, ScalarType operand, const Values& terms, std::int64_t width) {
  Values folds;
  for (std::int64_t first = 0; first < std::ssize(terms); first += width) {
    const std::int64_t last = std::min(first + width, std::ssize(terms));
    folds.push_back(inner_fold(op, operand, terms, first, last));
  }
  return folds;
}

class PrimitiveRun {
 public:
  PrimitiveRun(Memory& memory, Evaluator& evaluator, const Primitive& op)
      : memory_(memory), evaluator_(evaluator), op_(op), range_(evaluator.read_range(op.range)) {}

  void run() {
    switch (op_.op) {
      case PrimitiveOp::Scan: return scan();
      case PrimitiveOp::Sort: return sort();
      case PrimitiveOp::Compact: return compact();
      case PrimitiveOp::Topk: return topk();
      case PrimitiveOp::Histogram: return histogram();
      case PrimitiveOp::ReduceByKey: return reduce_by_key();
    }
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(range_.count); }

  // Operand number `operand` at the range's index number `position`.
  Value value(std::size_t operand, std::int64_t position) {
    memory_.value(range_.index) = range_.at(static_cast<std::uint64_t>(position));
    const bool outside = std::exchange(evaluator_.within, true);
    const Value result = evaluator_.eval(op_.operands[operand]);
    evaluator_.within = outside;
    return result;
  }

  // Each operand at all indices, one operand after the other.
  std::vector<Values> all_values() {
    std::vector<Values> values(op_.operands.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::int64_t p = 0; p < count(); ++p) values[i].push_back(value(i, p));
    }
    return values;
  }

  void store(std::size_t output, std::int64_t place, const Value& value) {
    evaluator_.store(op_.outputs[output], {place}, value);
  }

  void tell_count(std::int64_t count) {
    const SymbolId scalar = op_.outputs.back();
    memory_.value(scalar) = convert(Value(count), memory_.symbol(scalar).type);
  }

  // A range with more indices than an output has places is a fault, before anything else is done.
  void check_room() {
    if (count() == 0) return;
    for (const SymbolId output : op_.outputs) evaluator_.locate(output, {count() - 1});
  }

  void scan() {
    check_room();
    const ScalarType type = op_.operands[0]->type;
    const ScalarType result = fold_type(op_.fold, type);
    const Values terms = all_values().front();
    const Values leaves = folds_of_parts(op_.fold, type, terms, scan_shape::leaf);
    const Values before = before_leaves(leaves, result);
    for (std::int64_t p = 0; p < count(); ++p) {
      const std::int64_t leaf = p / scan_shape::leaf;
      const std::int64_t last = op_.option ? p : p + 1;
      const Value own = inner_fold(op_.fold, type, terms, leaf * scan_shape::leaf, last);
      store(0, p, combine_parts(at(before, leaf), own));
    }
  }

  Value combine_parts(const Value& left, const Value& right) const {
    return fold_combine(fold_of_parts(op_.fold), {left}, {right}).value;
  }

  // By leaf, the fold of all leaves before it, of type `type`.
  Values before_leaves(const Values& leaves, ScalarType type) const {
    const FoldOp op = fold_of_parts(op_.fold);
    const Values groups = folds_of_parts(op, type, leaves, scan_shape::group);
    const std::int64_t width = scan_shape::block(std::ssize(groups));
    const Values blocks = folds_of_parts(op, type, groups, width);

    Values before;
    for (std::int64_t group = 0; group < std::ssize(groups); ++group) {
      const std::int64_t block = group / width;
      const Value before_group = combine_parts(inner_fold(op, type, blocks, 0, block),
                                               inner_fold(op, type, groups, block * width, group));
      const std::int64_t first = group * scan_shape::group;
      const std::int64_t last = std::min(first + scan_shape::group, std::ssize(leaves));
      for (std::int64_t leaf = first; leaf < last; ++leaf) {
        before.push_back(combine_parts(before_group, inner_fold(op, type, leaves, first, leaf)));
      }
    }
    return before;
  }

  // The positions of `keys` in the order of a sort or a topk.
  std::vector<std::int64_t> ordered(const Values& keys) const {
    const KeyOrder order = key_order(op_);
    const auto key = [&](std::int64_t position) {
      const Value& value = at(keys, position);
      return order.negated ? eval(Op::Neg, std::span(&value, 1)) : value;
    };
    std::vector<std::int64_t> positions(keys.size());
    std::iota(positions.begin(), positions.end(), std::int64_t{0});
    std::stable_sort(positions.begin(), positions.end(), [&](std::int64_t a, std::int64_t b) {
      const Value operands[] = {key(order.swapped ? b : a), key(order.swapped ? a : b)};
      return eval(Op::Before, operands).as<bool>();
    });
    return positions;
  }

  void sort() {
    check_room();
    const std::vector<Values> values = all_values();
    std::int64_t place = 0;
    for (const std::int64_t position : ordered(values.front())) {
      for (std::size_t i = 0; i < values.size(); ++i) store(i, place, at(values[i], position));
      ++place;
    }
  }

  void compact() {
    std::vector<std::int64_t> kept;
    for (std::int64_t p = 0; p < count(); ++p) {
      if (value(0, p).as<bool>()) kept.push_back(p);
    }
    for (std::size_t i = 1; i < op_.operands.size(); ++i) {
      std::int64_t place = 0;
      for (const std::int64_t p : kept) store(i - 1, place++, value(i, p));
    }
    tell_count(std::ssize(kept));
  }

  void topk() {
    const Values keys = all_values().front();
    const std::vector<std::int64_t> order = ordered(keys);
    const Value none = fold_empty(op_.option ? FoldOp::Min : FoldOp::Max, op_.operands[0]->type);
    for (std::size_t output = 0; output < op_.outputs.size(); ++output) {
      const BufferView& places = memory_.buffer(op_.outputs[output]);
      for (std::int64_t j = 0; j < places.extents[0]; ++j) {
        const bool is_there = j < std::ssize(order);
        const std::int64_t position = is_there ? order[static_cast<std::size_t>(j)] : 0;
        if (output == 0) {
          store(output, j, is_there ? at(keys, position) : none);
        } else {
          const Value index =
              is_there ? range_.at(static_cast<std::uint64_t>(position)) : Value(std::int64_t{-1});
          store(output, j, convert(index, places.type));
        }
      }
    }
  }

  void histogram() {
    const Values numbers = all_values().front();
    const BufferView& counts = memory_.buffer(op_.outputs[0]);
    std::vector<std::int64_t> found(static_cast<std::size_t>(counts.extents[0]));
    for (const Value& number : numbers) {
      const std::int64_t one = number.as_integer();
      if (one >= 0 && one < counts.extents[0]) ++found[static_cast<std::size_t>(one)];
    }
    std::int64_t place = 0;
    for (const std::int64_t many : found) store(0, place++, convert(Value(many), counts.type));
  }

  void reduce_by_key() {
    std::vector<std::int64_t> starts;
    Value last;
    for (std::int64_t p = 0; p < count(); ++p) {
      const Value key = value(0, p);
      const Value both[] = {key, last};
      if (p == 0 || eval(Op::Ne, both).as<bool>()) starts.push_back(p);
      last = key;
    }
    std::int64_t place = 0;
    for (const std::int64_t start : starts) store(0, place++, value(0, start));
    for (std::size_t run = 0; run < starts.size(); ++run) {
      const std::int64_t end = run + 1 < starts.size() ? starts[run + 1] : count();
      Values terms;
      for (std::int64_t p = starts[run]; p < end; ++p) terms.push_back(value(1, p));
      store(1, static_cast<std::int64_t>(run),
            inner_fold(op_.fold, op_.operands[1]->type, terms, 0, std::ssize(terms)));
    }
    tell_count(std::ssize(starts));
  }

  Memory& memory_;
  Evaluator& evaluator_;
  const Primitive& op_;
  const ReadRange range_;
};

}  // namespace

void run_primitive(Memory& memory, Evaluator& evaluator, const Primitive& op) {
  PrimitiveRun(memory, evaluator, op).run();
}

}  // namespace gyre::ir
