/// A kernel of a plan as a part of a resident loop: the same work on the same points, with slots in
/// variables and folds that stay on the chip.
#pragma once

#include "emit_kernel.hpp"
#include "gyre/plan/kept_rows.hpp"
#include "hazards.hpp"

#include <functional>
#include <map>

namespace gyre::jit {

/// What the parts of a resident loop share.
struct Residence {
  const ResidentShape& shape;
  EmitExpr expr;
  Hazards hazards;
  /// By number: what each block keeps of the rows of its points.
  std::map<std::uint32_t, plan::KeptRows> rows;
  /// Folds emitted so far: in a grid each has shared memory of its own.
  std::uint32_t folds = 0;
};

/// The variable of a block's part of the buffer at that place among those of some rows.
std::string kept_name(const Residence& residence, std::uint32_t rows, std::size_t buffer);

/// The variable of a slot: `home.rr`.
std::string cell_variable(EmitExpr& expr, const plan::Cell& cell);

class EmitResidentKernel final : public EmitKernel {
 public:
  EmitResidentKernel(ModuleContext& context, const plan::Kernel& kernel, std::uint32_t number,
                     Residence& residence);
  /// For `each_own_point` alone.
  EmitResidentKernel(ModuleContext& context, Residence& residence);

  /// The kernel's text, a scope of its own.
  std::string operator()();
  /// A scope that runs what `body` gives at each point of a thread's own.
  std::string each_own_point(const plan::Sweep& sweep, const std::function<std::string()>& body);

 private:
  std::string loaded_cell(const plan::Cell& cell) override;
  std::string stored_cell(const plan::Cell& cell, const std::string& value) override;
  void store_early_slots() override;
  std::string finished(std::uint32_t reduction) override;
  void stop(std::uint32_t label, const std::string& code) override;
  void count(const std::string& counter, const std::string& more) override;
  void points(const plan::Sweep& sweep) override;
  std::string value_to_store(ir::SymbolId buffer, const std::string& value) override;
  void add_term(std::uint32_t reduction, const std::string& term) override;

  std::string place_of(std::uint32_t reduction) const;
  void meet_before(const Part& part);
  void begin_folds(const plan::Sweep& sweep);
  void leave_folds(const plan::Sweep& sweep);
  void begin_own_points(const plan::Sweep& sweep);
  void end_own_points();
  /// Folds over rows that are kept, before all else that a point does; returns their nodes.
  std::vector<ir::Expr> fold_kept_rows(const plan::Sweep& sweep);
  void fold_kept_row(const ir::Expr& fold, std::uint32_t rows, std::uint32_t number);
  void points_in_rounds(const plan::Sweep& sweep);
  void late_scalars();
  /// What ends the launch ends it for all threads.
  void leave_if_points_failed(const plan::Sweep& sweep);
  void leave_if_stopped();

  Residence& residence_;
};

}  // namespace gyre::jit
