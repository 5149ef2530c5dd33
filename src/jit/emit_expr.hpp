/// Expressions as CUDA C++, within one kernel: which name each symbol has there, and how an
/// operator, a load and a fold are written.
#pragma once

#include "gyre/plan/plan.hpp"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace gyre::jit {

/// `double`, `long long`, `int`, `float`, `bool`; the storage type of an element where `stored`.
std::string cpp_type(ir::ScalarType type);
std::string cpp_storage(ir::ScalarType type);
/// A literal of that type: `1.5`, `2.0f`, `7LL`, `true`.
std::string cpp_literal(const ir::Value& value);
/// `gyre::Sum<double>`.
std::string cpp_fold(ir::FoldOp op, ir::ScalarType term);

class EmitExpr {
 public:
  /// `checked`: a load outside its buffer is a fault of the access's number, and stops the index.
  EmitExpr(const plan::Plan& plan, bool checked) : plan_(plan), checked_(checked) {}

  std::string operator()(const ir::Expr& expr);

  /// The C++ name of a symbol in this kernel; the first use of a buffer or size makes it a
  /// parameter.
  const std::string& name(ir::SymbolId symbol);
  /// The element's place in row-major order, as an expression; with checks -1 where it is outside.
  std::string place(ir::SymbolId buffer, const std::vector<ir::Expr>& index);

  const std::vector<ir::SymbolId>& buffers() const { return buffers_; }
  const std::vector<ir::SymbolId>& sizes() const { return sizes_; }

  /// A new statement: its accesses count from 0.
  void begin_statement() { access_ = 0; }
  /// The text that yields a buffer's number in a fault; set by the emitter of the module.
  std::map<ir::SymbolId, std::uint32_t>* buffer_numbers = nullptr;

 private:
  std::string literal_or_infix(const ir::Expr& expr, const ir::Apply& apply);
  std::string fold(const ir::Fold& fold);
  std::string load(const ir::Load& load, ir::ScalarType type);

  const plan::Plan& plan_;
  bool checked_;
  int access_ = 0;
  std::unordered_map<std::uint32_t, std::string> names_;
  std::set<std::string> taken_;
  std::vector<ir::SymbolId> buffers_;
  std::vector<ir::SymbolId> sizes_;
};

}  // namespace gyre::jit
