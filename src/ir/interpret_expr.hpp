/// The value of an expression in the memory of a run.
#pragma once

#include "gyre/ir/expr.hpp"
#include "gyre/ir/region.hpp"
#include "interpret_memory.hpp"

#include <string>
#include <vector>

namespace gyre::ir {

/// A range whose bounds and step have been read.
struct ReadRange {
  SymbolId index;
  ScalarType type = ScalarType::I64;
  std::int64_t begin = 0;
  std::int64_t step = 1;
  std::uint64_t count = 0;

  /// The index after `position` steps.
  Value at(std::uint64_t position) const;
};

/// The points of some ranges, row-major.
struct IndexSpace {
  std::vector<ReadRange> ranges;
  std::uint64_t count = 1;
};

/// Evaluates expressions; throws Ending where one faults.
class Evaluator {
 public:
  explicit Evaluator(Memory& memory) : memory_(memory) {}

  Value eval(const Expr& expr);
  bool holds(const Expr& condition) { return eval(condition).as<bool>(); }

  ReadRange read_range(const Range& range);
  /// Reads all bounds first: none of them sees an index of the same list.
  IndexSpace read_space(const std::vector<Range>& ranges);
  /// Calls `function(linear)` at each point with the indices set.
  template <class Function>
  void for_each_point(const IndexSpace& space, Function function);

  /// The values of `place`'s index expressions.
  std::vector<std::int64_t> eval_index(const std::vector<Expr>& index);
  /// The element's place in memory; a fault where the index lies outside.
  std::int64_t locate(SymbolId buffer, const std::vector<std::int64_t>& index);
  Value load(SymbolId buffer, const std::vector<std::int64_t>& index);
  void store(SymbolId buffer, const std::vector<std::int64_t>& index, const Value& value);
  /// Adds to an element where indices may meet: no promise is watched.
  void add_to(SymbolId buffer, const std::vector<std::int64_t>& index, const Value& value);

  [[noreturn]] void fault_zero_step() const;
  [[noreturn]] void fault(FaultKind kind, std::string detail) const;

  /// The region that a fault is told of.
  const std::string* region = nullptr;
  /// Whether folds are inner: within a foreach or another fold.
  bool within = false;
  /// Watches stores (and loads) of a checked foreach; null elsewhere.
  PromiseWatch* watch = nullptr;

 private:
  Value eval_node(const ExprNode& node, const Literal& literal);
  Value eval_node(const ExprNode& node, const Read& read);
  Value eval_node(const ExprNode& node, const Load& load);
  Value eval_node(const ExprNode& node, const Apply& apply);
  Value eval_node(const ExprNode& node, const Cast& cast);
  Value eval_node(const ExprNode& node, const Fold& fold);
  [[noreturn]] void promise_broken(SymbolId buffer, const std::vector<std::int64_t>& index) const;

  Memory& memory_;
};

template <class Function>
void Evaluator::for_each_point(const IndexSpace& space, Function function) {
  std::vector<std::uint64_t> position(space.ranges.size(), 0);
  for (const ReadRange& range : space.ranges) memory_.value(range.index) = range.at(0);
  for (std::uint64_t linear = 0; linear < space.count; ++linear) {
    function(static_cast<std::int64_t>(linear));
    for (std::size_t d = position.size(); d-- > 0;) {
      const bool wraps = ++position[d] == space.ranges[d].count;
      if (wraps) position[d] = 0;
      memory_.value(space.ranges[d].index) = space.ranges[d].at(position[d]);
      if (!wraps) break;
    }
  }
}

}  // namespace gyre::ir
