/// One kernel of a plan as a CUDA C++ function.
#pragma once

#include "emit_expr.hpp"
#include "emit_text.hpp"
#include "gyre/jit/emit_module.hpp"
#include "gyre/plan/staging.hpp"

#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace gyre::jit {

/// What the kernels of one module share.
struct ModuleContext {
  const plan::Plan& plan;
  /// As the kernel at hand sees it.
  StateLayout layout;
  EmitOptions options;
  Names& names;
  /// By the number of a branch: whether the host decides it.
  std::vector<bool> host_decides;
  /// The numbers of branches and loops, in the plan's order of nodes, and of loops alone.
  std::unordered_map<const plan::Node*, std::uint32_t> numbers;
  std::unordered_map<const plan::WhileNode*, std::uint32_t> loop_numbers;
  /// The number of the first of a fork's arms, as StateLayout has it.
  std::unordered_map<const plan::ForkNode*, std::uint32_t> first_arms;
  /// Whether something but a loop's own end may end the launch in the middle of a line.
  bool may_end = false;
  /// The branches whose blocks end the launch, by number.
  std::set<std::uint32_t> ending = {};
  /// Whether a kernel asks for the trip limit that the run was given.
  bool uses_run_limit = false;

  std::string run_limit() {
    uses_run_limit = true;
    return "gyre::control(state).max_trips";
  }
};

/// Under which conditions a kernel that has been launched has something to do.
struct Standing {
  /// It is given a guard.
  bool guarded = false;
  /// A loop that stands before it may have ended the launch.
  bool follows_loop = false;
};

/// Writes a trip of the loop into the log of trips, where it has been decided and counted.
std::string trace_trip(const ModuleContext& context, const plan::WhileNode& loop);

/// Whether a kernel has a second form, for long folds within a point: it may share each point among
/// several threads. Kernels that check accesses have one form alone, and those whose points end
/// early unless the program gives these a team.
bool has_long_form(const plan::Kernel& kernel, const EmitOptions& options);

class EmitKernel {
 public:
  /// `kernel` is null for a function that only has duties. `form`: another one than that for short
  /// folds only if has_long_form.
  EmitKernel(ModuleContext& context, const plan::Kernel* kernel, std::uint32_t number,
             FoldForm form = FoldForm::Short);
  virtual ~EmitKernel() = default;
  EmitKernel(const EmitKernel&) = delete;
  EmitKernel& operator=(const EmitKernel&) = delete;

  /// The function's text; `emitted` gets its parameters. If it begins the launch, the function does
  /// so first.
  std::string operator()(const std::vector<const plan::Node*>& duty_nodes,
                         const std::vector<Duty>& duties, Standing standing,
                         EmittedKernel& emitted);

 protected:
  /// Takes the names of `shared`, if it is not null: the kernel is a part of a function.
  EmitKernel(ModuleContext& context, const plan::Kernel* kernel, std::uint32_t number,
             EmitExpr* shared, FoldForm form = FoldForm::Short);

  /// While it lives, faults are reported in a region within the one around it; an empty one is
  /// that.
  class InRegion {
   public:
    InRegion(EmitKernel& kernel, const std::string& region) : kernel_(kernel) {
      outer_ = kernel.region_;
      if (!region.empty()) kernel.region_ = &region;
    }
    ~InRegion() { kernel_.region_ = outer_; }
    InRegion(const InRegion&) = delete;
    InRegion& operator=(const InRegion&) = delete;

   private:
    EmitKernel& kernel_;
    const std::string* outer_;
  };

  static constexpr const char* first_thread = "blockIdx.x == 0 && threadIdx.x == 0";

  void line(const std::string& text) { body_ += indented(text, depth_) + "\n"; }

  using Duties = std::span<const Duty>;
  using DutyNodes = std::span<const plan::Node* const>;

  /// The function up to its body; `emitted` gets its parameters.
  std::string head(DutyNodes duty_nodes, Duties duties, EmittedKernel& emitted);
  std::string buffer_parameter(ir::SymbolId buffer) const;
  std::string blocks_at_once() const;
  std::string views();

  void entry(DutyNodes duty_nodes, Duties duties, bool begins);
  /// Where the guard is off, and where the launch is over: nothing but duties is done.
  void leave_unless_on(DutyNodes duty_nodes, Duties duties);
  void leave_if_over(DutyNodes duty_nodes, Duties duties);
  void early_steps();
  void read_for_decisions(DutyNodes duty_nodes, Duties duties, bool begins);
  bool brings_late(Duties duties) const;
  bool reads_in_epilogue() const;
  void bring_late(DutyNodes duty_nodes, Duties duties);
  void take_late();
  void work(DutyNodes duty_nodes, Duties duties);
  void read_partials();
  void load_cells(const std::vector<plan::Cell>& cells);
  void prologue();
  void epilogue(DutyNodes duty_nodes, Duties duties);
  void step(const plan::ScalarStep& step);
  /// Stores the slots that the epilogue computes, or the others.
  void store_slots(bool late);

  /// What depends on where slots and partials lie, and on which threads run which points.
  virtual std::string loaded_cell(const plan::Cell& cell);
  virtual std::string stored_cell(const plan::Cell& cell, const std::string& value);
  virtual void store_early_slots();
  virtual std::string finished(std::uint32_t reduction);
  virtual void stop(std::uint32_t label, const std::string& code);
  virtual void count(const std::string& counter, const std::string& more);
  void count_arm(std::uint32_t counter, const std::string& arm);
  virtual void points(const plan::Sweep& sweep);
  /// What is stored to the buffer for `value`: it may go to a second place before.
  virtual std::string value_to_store(ir::SymbolId, const std::string& value) { return value; }
  virtual void add_term(std::uint32_t reduction, const std::string& term);

  void sweep(const plan::Sweep& sweep);
  void ranges(const plan::Sweep& sweep);
  void indices(const plan::Sweep& sweep);
  /// The points of the staged form: each warp folds for its points first.
  void staged_points(const plan::Sweep& sweep);
  void staged_fold(const plan::StagedFold& fold, std::uint32_t number);
  /// What one point runs.
  void body(const plan::Sweep& sweep);
  /// A strand of each reduction that the sweep feeds, to which its points add.
  void strands(const plan::Sweep& sweep);
  /// The strands become partials; `block` names the block that they belong to, if not their own.
  void leave_partials(const plan::Sweep& sweep, const std::string& block = "");
  std::string fold_of(std::uint32_t reduction) const;

  void statements(const std::vector<plan::Statement>& list);
  void statement(const plan::Statement& statement);
  /// How many of the first statements are folds over the same ranges, of which none needs another.
  std::size_t folds_together(std::span<const plan::Statement> list) const;
  /// Those statements, with their folds in one loop.
  void statements_that_fold(std::span<const plan::Statement> list);
  void nested(const std::vector<plan::Statement>& list);
  void emit(const plan::Define& op);
  void emit(const plan::Set& op);
  void emit(const plan::Store& op);
  void emit(const plan::Contribute& op);
  void emit(const plan::Choose& op);
  void emit(const plan::Repeat& op);
  void emit(const plan::RepeatOver& op);
  void trip_body(const plan::RepeatOver& op, const std::string& range, const std::string& trip);
  /// The trips of an inner foreach, side by side, with folds of each thread's own.
  void shared_trips(const plan::RepeatOver& op, const std::string& range, const std::string& trip);
  /// All threads of a team wait for each other here, and see what was stored.
  void meet();
  void emit(const plan::Leave& op);
  void emit(const plan::NextTrip& op);

  void begin_statement();
  /// Emits a statement of the program. Where an access in it fails, the index (or the scalar work)
  /// ends.
  void run(const std::string& text);
  /// Emits where in the order of faults the next accesses stand, and in which region.
  void mark_place();

  /// By one thread, where each duty's slots are at home.
  void do_duties(DutyNodes duty_nodes, Duties duties);
  void duty(const plan::Node& node, const Duty& duty);
  void fork_or_join(const plan::ForkNode& fork, const Duty& duty);
  void decide_loop(const plan::WhileNode& loop, const Duty& duty);
  void decide_arm(const plan::Node& node, const Duty& duty);
  /// What a duty comes to where the kernel's guard is off: no trip, no arm.
  void hand_on_nothing(const plan::Node& node, const Duty& duty);
  std::string pass_on(const Duty& duty, const std::string& goes_on) const;
  std::string guard_arms(const plan::Node& node, const Duty& duty, const std::string& arm) const;
  /// How the launch and the loop stand, to be loaded while the kernel still has other work. A
  /// launch that `begins` with the kernel runs.
  void look_at_launch(const plan::Node& node, const Duty& duty, bool begins);
  bool enters_line(const Duty& duty) const;
  /// How a branch becomes nodes: one whose blocks end the launch has work in each.
  BranchForm form_of(const plan::Node& node, const Duty& duty) const;
  /// Whether the duty's kernel is given where its decision goes.
  bool takes_decision(const plan::Node& node, const Duty& duty) const;
  std::string arm_decision(const plan::Node& node, const Duty& duty);
  std::string trip_decision(const plan::WhileNode& loop, const Duty& duty);
  std::string cell_value(ir::SymbolId slot);

  ModuleContext& context_;
  const plan::Kernel* kernel_;
  std::uint32_t number_;
  /// Every access is checked.
  bool checked_;
  /// A point may end before its last statement.
  bool points_end_early_;
  FoldForm form_;
  /// The team that the program asks for runs a point, in every form.
  bool is_run_by_team_;
  /// A team of threads may run a point: that one, or in the form for long folds whichever is
  /// chosen.
  bool shares_points_;
  /// What the team stores and loads again: it meets around the stores.
  std::set<ir::SymbolId> met_;
  /// In an inner foreach, where each thread of the team has trips of its own.
  bool thread_alone_ = false;
  EmitExpr own_expr_;
  EmitExpr& expr_;
  /// Buffers whose accesses are watched for a broken promise.
  std::set<ir::SymbolId> watched_;
  std::string body_;
  std::size_t depth_ = 1;
  const std::string* region_ = nullptr;
  Standing standing_;
  /// How the launch stands is known only where the duties are done.
  bool looks_late_ = false;
  std::uint32_t statement_ = 0;
  /// Folds finished and partials left so far: each has shared memory of its own.
  std::uint32_t folds_ = 0;
  /// Of a sweep: where its terms stand, and those that are added at the end of a point.
  std::string term_index_;
  std::set<std::uint32_t> late_terms_;
  std::set<ir::SymbolId> declared_;
  /// Steps of the prologue that stand before the launch begins, by their place.
  std::set<std::size_t> early_steps_;
  /// Reductions whose partials are read on entry.
  std::set<std::uint32_t> early_partials_;
  /// How what is brought to shared memory on entry is declared at the end.
  std::vector<std::string> late_;
  /// The grid has a block more, which runs no points: it does the epilogue beside the others.
  bool has_block_of_epilogue_ = false;
  /// What the epilogue computes, and the buffers that it loads.
  std::set<ir::SymbolId> late_slots_;
  std::set<ir::SymbolId> late_loads_;
  std::set<ir::SymbolId> stored_;
};

}  // namespace gyre::jit
