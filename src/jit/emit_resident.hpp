/// A loop with everything in it as one CUDA C++ function: branches and inner loops are plain code,
/// slots are variables, and a launch's threads go through it together (kernels/crew.cuh).
#pragma once

#include "emit_resident_kernel.hpp"

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gyre::jit {

/// The headers that a module's resident loops include; none where it has none.
std::string resident_headers(const EmitOptions& options);

class EmitResident {
 public:
  EmitResident(ModuleContext& context, const plan::WhileNode& loop, const ResidentShape& shape);

  /// The function's text; `emitted` gets its parameters.
  std::string operator()(EmittedKernel& emitted);

 private:
  void line(const std::string& text) { body_ += indented(text, depth_) + "\n"; }
  std::string head(EmittedKernel& emitted);
  void load_cells();
  void store_cells();
  void declare_partials();
  void take_buffers();
  void take_rows();
  void give_back_buffers();
  std::string elements(ir::SymbolId buffer);
  /// A statement that moves one element, of its name in registers and that in memory.
  using MoveElement = std::function<std::string(const std::string&, const std::string&)>;
  void move_registers(std::set<ir::SymbolId> buffers, const MoveElement& move);

  void block(const plan::Block& block);
  void arm(const plan::Block& block, std::uint32_t counter, std::uint32_t number);
  void emit(const plan::Launch& launch, const plan::Node& node);
  void emit(const plan::Clear& clear, const plan::Node& node);
  void emit(const plan::CopyBuffer& copy, const plan::Node& node);
  void emit(const plan::RunCall& call, const plan::Node& node);
  void emit(const plan::ForkNode& fork, const plan::Node& node);
  void emit(const plan::IfNode& choice, const plan::Node& node);
  void emit(const plan::WhileNode& loop, const plan::Node& node);
  void emit(const plan::SwitchNode& many, const plan::Node& node);
  void emit_loop(const plan::WhileNode& loop);

  ModuleContext& context_;
  const plan::WhileNode& loop_;
  Residence residence_;
  EmitExpr& expr_;
  /// What the loop stores to, and what of it somebody reads later.
  std::set<ir::SymbolId> stored_;
  std::set<ir::SymbolId> outliving_;
  std::string body_;
  std::size_t depth_ = 1;
};

}  // namespace gyre::jit
