/// The compiler from a kernel's trees to register code: its state, and one function a node kind.
///
/// A value that was computed before, from the same registers at the same versions, is not computed
/// again while the code that computed it is sure to have run. What depends on no lane goes into the
/// preamble.
#pragma once

#include "cpu_compile.hpp"

#include <array>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gyre::executors::cpu {

class Compiler {
 public:
  Compiler(const plan::Plan& plan, std::string region);

  Body sweep(const plan::Sweep& sweep);
  Body scalars(std::span<const ir::Expr> values);

 private:
  /// What is computed, its type, context and version, and from which registers.
  using Key = std::array<std::uint64_t, 8>;
  /// Where code is being written to, and the lanes it runs on.
  struct Place {
    Code* code;
    std::uint32_t context;
  };

  // Statements (cpu_compile.cpp).
  void compile(const std::vector<plan::Statement>& statements);
  void compile(const plan::Define& define);
  void compile(const plan::Set& set);
  void compile(const plan::Store& store);
  void compile(const plan::Contribute& contribute);
  void compile(const plan::Choose& choose);
  void compile(const plan::Repeat& repeat);
  void compile(const plan::RepeatOver& repeat);
  void compile(const plan::Leave& leave);
  void compile(const plan::NextTrip& next);
  void find_targets(const std::vector<plan::Statement>& statements);
  void forget_targets(const std::vector<plan::Statement>& statements);
  Contribution& contribution(std::uint32_t reduction, bool repeats);

  // Expressions (cpu_compile_expr.cpp).
  RegId compile(const ir::Expr& expr);
  RegId compile_node(const ir::ExprNode& node, const ir::Literal& literal);
  RegId compile_node(const ir::ExprNode& node, const ir::Read& read);
  RegId compile_node(const ir::ExprNode& node, const ir::Load& load);
  RegId compile_node(const ir::ExprNode& node, const ir::Apply& apply);
  RegId compile_node(const ir::ExprNode& node, const ir::Cast& cast);
  RegId compile_node(const ir::ExprNode& node, const ir::Fold& fold);
  RegId compile_lazy(const ir::ExprNode& node, const ir::Apply& apply);
  /// As `compile`, in a register that nothing assigns to.
  RegId compile_once(const ir::Expr& expr);
  RegId compile_step(const ir::Range& range);
  /// `reg` of an outer context as a register of context `to`.
  RegId import(RegId reg, std::uint32_t to);

  // Code.
  RegId add_register(ir::ScalarType type, std::uint32_t context);
  RegId preset(ir::ScalarType type, bool is_symbol, std::uint32_t symbol, std::uint64_t constant);
  RegId emit_pure(Run run, ir::ScalarType type, std::array<RegId, 3> in);
  void emit(const Instr& instr) { places_.back().code->push_back(instr); }
  void emit_assign(RegId out, RegId in);
  /// Compiles what `function` emits into `code`, on the same lanes; it may not run for all of them.
  template <class Function>
  void within(Code& code, Function function);
  Key key_of(std::uint64_t what, ir::ScalarType type, std::uint32_t context,
             std::span<const RegId> in, std::uint64_t version = 0) const;
  void remember(const Key& key, RegId reg);
  std::size_t known_mark() const { return remembered_.size(); }
  void forget_since(std::size_t mark);
  std::uint32_t add_region(const std::string& region);
  Site site() const { return {statement_, region_}; }
  std::uint32_t add_access(ir::SymbolId buffer, const std::vector<ir::Expr>& index);

  const plan::Plan& plan_;
  Body body_;
  std::vector<Place> places_;
  std::uint32_t statement_ = 0;
  /// 0 is the sweep itself.
  std::uint32_t statements_ = 1;
  std::uint32_t region_ = 0;
  int loop_depth_ = 0;

  std::unordered_map<std::uint32_t, RegId> locals_;
  /// Locals that are assigned to, and buffers that are stored to, anywhere in the body.
  std::unordered_map<std::uint32_t, int> definitions_;
  std::unordered_map<std::uint32_t, std::uint64_t> stored_;
  std::vector<std::uint32_t> versions_;
  std::uint32_t clock_ = 0;
  std::map<Key, RegId> known_;
  std::vector<Key> remembered_;
};

template <class Function>
void Compiler::within(Code& code, Function function) {
  const std::size_t mark = known_mark();
  Code inner;
  places_.push_back({&inner, places_.back().context});
  function();
  places_.pop_back();
  forget_since(mark);
  code = std::move(inner);
}

}  // namespace gyre::executors::cpu
