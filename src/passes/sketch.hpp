/// Writes the statements that a pass puts in the place of one: as the builder does for programs,
/// but with types that only the run of the pass knows.
#pragma once

#include "gyre/ir/fresh_names.hpp"
#include "gyre/ir/program.hpp"
#include "term.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gyre::passes {

/// A buffer of one dimension.
struct Array {
  ir::SymbolId symbol;
  ir::ScalarType type;

  Term operator[](const Term& index) const { return ir::make_load(symbol, type, {index.expr}); }
};

/// A scalar that changes; as a term, its value where that is read.
struct Variable : Term {
  Variable(ir::SymbolId of, ir::ScalarType type) : Term(ir::make_read(of, type)), symbol(of) {}

  ir::SymbolId symbol;
};

class Sketch {
 public:
  using Body = std::function<void(const Term&)>;

  /// In the place of `self`: what is written stands in its region and faults there. `in_loop`: a
  /// loop of the program stands around it.
  Sketch(ir::Program& program, ir::FreshNames& names, const ir::RegionNode& self, bool in_loop)
      : program_(program), names_(names), self_(self), in_loop_(in_loop), blocks_(1) {}

  bool in_loop() const { return in_loop_; }

  /// The statements so far, as one block.
  ir::Region take() { return ir::make_seq(std::move(blocks_.front()), self_.loc); }

  /// Computes `value` here.
  Term let(const std::string& name, const Term& value);
  Variable var(const std::string& name, const Term& value);
  void set(const Variable& variable, const Term& value);
  void set(ir::SymbolId scalar, const Term& value);
  /// A temp of which nothing is read that is not written first.
  Array temp(const std::string& name, ir::ScalarType type, const Term& extent);
  /// The same, zero at first.
  Array zeros(const std::string& name, ir::ScalarType type, const Term& extent);
  /// A buffer of the program.
  Array array(ir::SymbolId buffer) const { return {buffer, program_[buffer].type}; }
  Term extent(const Array& array) const;

  /// Its indices each have what `team` says.
  void foreach(const Term& count, const Body& body, ir::Team team = ir::Team::Any);
  void repeat(const Term& begin, const Term& end, const Body& body);
  /// Its trips are not counted, and end by themselves.
  void loop(const Term& condition, const std::function<void()>& body);
  void when(const Term& condition, const std::function<void()>& then);
  void choose(const Term& condition, const std::function<void()>& then,
              const std::function<void()>& otherwise);

  /// At the index's own place.
  void store(const Array& array, const Term& index, const Term& value);
  void scatter(const Array& array, const Term& index, const Term& value);
  void scatter_add(const Array& array, const Term& index, const Term& value);
  void check_step(const Term& step);
  void call(std::shared_ptr<const ir::Callee> callee, std::vector<ir::SymbolId> arguments);

  Term fold(ir::FoldOp op, const Term& begin, const Term& end,
            const std::function<Term(const Term&)>& operand);

  /// `expr` with `value` for each read of `index`, and folds with indices of their own.
  Term substitute(const ir::Expr& expr, ir::SymbolId index, const Term& value);
  const ir::Program& program() const { return program_; }

 private:
  ir::SymbolId add(ir::Symbol symbol);
  Array add_temp(const std::string& name, ir::ScalarType type, const Term& extent, bool scratch);
  ir::Range make_range(const Term& begin, const Term& end);
  ir::Region block(const std::function<void()>& body);
  void write(ir::RegionKind kind, bool is_ours = true);
  ir::Place place(const Array& array, const Term& index) const;

  ir::Program& program_;
  ir::FreshNames& names_;
  const ir::RegionNode& self_;
  bool in_loop_;
  std::vector<std::vector<ir::Region>> blocks_;
};

}  // namespace gyre::passes
