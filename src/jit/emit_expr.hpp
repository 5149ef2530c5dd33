/// Expressions as CUDA C++, within one kernel: which name each symbol has there, and how an
/// operator, a load and a fold are written.
#pragma once

#include "gyre/plan/plan.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gyre::jit {

/// `double`, `long long`, `int`, `float`, `bool`; the storage type of an element where `stored`.
std::string cpp_type(ir::ScalarType type);
std::string cpp_storage(ir::ScalarType type);
/// A literal of that type: `1.5`, `2.0f`, `7LL`, `true`.
std::string cpp_literal(const ir::Value& value);
/// `gyre::Sum<double>`.
std::string cpp_fold(ir::FoldOp op, ir::ScalarType term);
/// Whether an element lies in memory as it is computed with.
bool is_plain(ir::ScalarType element);

std::string without_outer_parentheses(const std::string& text);

/// What the folds within a point are like: of few terms, of many, or of many that a team of threads
/// may share.
enum class Folds { Short, Long, Shared };

class EmitExpr {
 public:
  /// `checked`: an access outside its buffer, or a step of 0, ends the index with a fault.
  EmitExpr(const plan::Plan& plan, bool checked, Folds folds = Folds::Short)
      : plan_(plan), checked_(checked), folds_(folds) {}

  /// The text may have several lines.
  std::string operator()(const ir::Expr& expr);
  /// The same without parentheses around it.
  std::string whole(const ir::Expr& expr);
  std::vector<std::string> each(const std::vector<ir::Expr>& exprs);
  /// What follows the name of a `gyre::Range` where it is declared.
  std::string range(const ir::Range& range);

  /// The C++ name of a symbol in this kernel; the first use of a buffer or size makes it a
  /// parameter.
  const std::string& name(ir::SymbolId symbol);
  /// The C++ name by which the accesses of a buffer are checked.
  const std::string& view(ir::SymbolId buffer);
  /// The C++ name of the buffer's shadow.
  const std::string& shadow(ir::SymbolId buffer);
  /// The C++ name of the buffer's memory where `name` is a copy of it on the chip.
  const std::string& memory(ir::SymbolId buffer);
  /// From now on each thread has the elements of `buffer` that it owns in an array of that name.
  void keep_in_registers(ir::SymbolId buffer);
  /// From now on each thread has a copy of the elements that it owns, which loads from own places
  /// of sweeps with the points of `owners` take.
  void copy_in_registers(ir::SymbolId buffer, const plan::Sweep& owners);
  /// The name of that copy.
  const std::string& own_copy(ir::SymbolId buffer);
  /// The sweep whose points are written out from now on; null: none.
  void enter(const plan::Sweep* sweep) { sweep_ = sweep; }
  /// From now on folds are like that; returns what they were like.
  Folds fold_as(Folds folds) { return std::exchange(folds_, folds); }
  /// From now on the node is written as the variable `name`.
  void replace(const ir::Expr& node, const std::string& name) { replaced_[node.get()] = name; }
  bool is_replaced(const ir::Expr& node) const { return replaced_.contains(node.get()); }
  /// From now on it is written out again.
  void restore(const ir::Expr& node) { replaced_.erase(node.get()); }
  /// Folds over the same ranges as one: its first, second.first, … are theirs.
  std::string together(const std::vector<const ir::Fold*>& folds);
  /// A lambda that turns the fold's indices into its operand. Element k of each buffer that is
  /// given a name in `staged` is element k of that, where k is the fold's index.
  std::string term(const ir::Fold& fold, const std::string& capture,
                   const std::map<ir::SymbolId, std::string>& staged = {});
  /// The fold over a range that is written as `range`, with elements of `staged` as in `term`.
  std::string fold_over(const ir::Fold& fold, const std::string& range,
                        const std::map<ir::SymbolId, std::string>& staged);
  /// The element at an index in texts, of a buffer whose elements are plain.
  std::string element(ir::SymbolId buffer, const std::vector<std::string>& index);
  /// The element's place in row-major order, of an index in texts.
  std::string place(ir::SymbolId buffer, const std::vector<std::string>& index);
  std::vector<std::string> extents(ir::SymbolId buffer);

  /// Buffers and sizes in the order of their first use.
  const std::vector<ir::SymbolId>& buffers() const { return buffers_; }
  const std::vector<ir::SymbolId>& sizes() const { return sizes_; }
  const std::vector<ir::SymbolId>& viewed() const { return viewed_; }

  /// A new statement: its accesses count from 0.
  void begin_statement() { access_ = 0; }
  bool has_accessed() const { return access_ != 0; }
  std::string next_access() { return std::to_string(access_++); }

 private:
  std::string apply(const ir::Apply& apply);
  std::string bound(const ir::Expr& expr);
  std::string fold(const ir::Fold& fold);
  std::string over(const std::vector<ir::Range>& ranges);
  std::string folded(bool is_few, const std::string& term) const;
  std::string load(const ir::Load& load);
  bool is_copied(const ir::Load& load) const;
  std::string unlike_others(const std::string& wanted);

  const plan::Plan& plan_;
  bool checked_;
  /// Short within a fold's operand: there each thread has terms of its own.
  Folds folds_;
  int access_ = 0;
  std::map<ir::SymbolId, std::string> names_;
  std::map<ir::SymbolId, std::string> views_;
  std::map<ir::SymbolId, std::string> shadows_;
  std::map<ir::SymbolId, std::string> memories_;
  std::set<ir::SymbolId> in_registers_;
  std::map<ir::SymbolId, const plan::Sweep*> copied_;
  std::map<ir::SymbolId, std::string> own_copies_;
  const plan::Sweep* sweep_ = nullptr;
  std::map<const ir::ExprNode*, std::string> replaced_;
  std::map<ir::SymbolId, std::string> staged_;
  ir::SymbolId staged_index_{};
  std::set<std::string> taken_;
  std::vector<ir::SymbolId> buffers_;
  std::vector<ir::SymbolId> sizes_;
  std::vector<ir::SymbolId> viewed_;
};

}  // namespace gyre::jit
