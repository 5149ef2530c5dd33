/// What one execution of a foreach keeps beside the run's memory: where in the body it stands, the
/// sums over its indices, and the least of the endings that its indices met.
#pragma once

#include "gyre/ir/eval.hpp"
#include "gyre/ir/region.hpp"
#include "interpret_memory.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace gyre::ir {

/// A statement of a body: the numbers of the children on the way to it. Lexicographic order is the
/// order of the text.
using Position = std::vector<std::uint32_t>;

/// `s += e` over a foreach: the outer fold of e, whose term is 0 at an index that does not reach
/// the statement.
class SumOverIndices {
 public:
  SumOverIndices(SymbolId scalar, ScalarType type, std::int64_t indices);

  SymbolId scalar() const { return scalar_; }
  /// Index `linear` reaches the statement with `value`; what it reaches again adds to its term.
  void reach(std::int64_t linear, const Value& value);
  Value finish();

 private:
  void close_terms_before(std::int64_t linear);

  SymbolId scalar_;
  ScalarType type_;
  std::int64_t indices_;
  StrandFold fold_;
  std::int64_t closed_ = 0;
  std::optional<Value> term_;
};

class ForeachFrame {
 public:
  /// Finds the sums in `body`; `indices` is the number of points of its ranges.
  ForeachFrame(const Program& program, const Region& body, std::int64_t indices);

  void start_index(std::int64_t linear);
  void enter_child(std::uint32_t number) { position_.push_back(number); }
  void leave_child() { position_.pop_back(); }
  /// What ends here stands before every statement of the body.
  void leave_body() { position_.clear(); }

  /// The sum that the assignment here belongs to, or null where its target is the index's own.
  SumOverIndices* sum_here();
  std::int64_t linear() const { return linear_; }
  /// The current index ended here: kept if no index ended at an earlier statement, or at this one
  /// before.
  void end_index(const Ending& ending);

  const std::optional<Ending>& least_ending() const { return least_; }
  std::map<Position, SumOverIndices>& sums() { return sums_; }

 private:
  void find_sums(const Program& program, const Region& region, std::set<SymbolId>& own);

  std::int64_t indices_;
  std::int64_t linear_ = 0;
  Position position_;
  std::map<Position, SumOverIndices> sums_;
  std::optional<Ending> least_;
  Position least_position_;
};

}  // namespace gyre::ir
