/// One kernel of a plan as a CUDA C++ function.
#pragma once

#include "emit_expr.hpp"
#include "gyre/jit/emit_module.hpp"

#include <string>
#include <vector>

namespace gyre::jit {

/// What the kernels of one module share.
struct ModuleContext {
  const plan::Plan& plan;
  const StateLayout& layout;
  EmitOptions options;
  Names& names;
  /// By the number of a branch: whether the host decides it, and whether it runs ahead of the host.
  std::vector<bool> host_decides;
  std::vector<bool> runs_ahead;
  /// The numbers of the loops, in the plan's order of nodes.
  std::unordered_map<const plan::WhileNode*, std::uint32_t> loop_numbers;
  /// Whether something but a loop's own end may end the launch in the middle of a line.
  bool may_end = false;
};

/// How many label ranges a switch has in all.
std::size_t label_count(const plan::SwitchNode& node);

class EmitKernel {
 public:
  explicit EmitKernel(ModuleContext& context)
      : context_(context), expr_(context.plan, context.options.checked) {}

  /// The function's text; `emitted` gets its name, parameters and threads. `kernel` is null for a
  /// function that only has duties; `ahead_in` is the loop that it runs ahead in, if any.
  std::string operator()(const plan::Kernel* kernel, std::uint32_t number,
                         const std::vector<const plan::Node*>& duty_nodes,
                         const std::vector<Duty>& duties, const plan::WhileNode* ahead_in,
                         EmittedKernel& emitted);

 private:
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

  void line(const std::string& text) { body_ += std::string(2 * depth_, ' ') + text + "\n"; }
  void prologue(const plan::Kernel& kernel);
  void step(const plan::ScalarStep& step);
  void sweep(const plan::Sweep& sweep);
  void points(const plan::Sweep& sweep);
  void statements(const std::vector<plan::Statement>& list);
  void nested(const std::vector<plan::Statement>& list);
  void stop_if_bad();
  void begin_statement();
  /// Emits where in the order of faults the next accesses stand, and in which region.
  void mark_place();
  void duty(const plan::Node& node, const Duty& duty);
  /// Whether the duty's kernel is given where its decision goes.
  bool takes_decision(const plan::Node& node, const Duty& duty) const;
  std::string trip_decision(const plan::WhileNode& loop, const Duty& duty);
  std::string cell_value(ir::SymbolId slot);
  std::string expression(const ir::Expr& expr);
  bool needs_here() const;

  ModuleContext& context_;
  EmitExpr expr_;
  std::string body_;
  std::size_t depth_ = 1;
  const plan::Kernel* kernel_ = nullptr;
  std::uint32_t number_ = 0;
  const std::string* region_ = nullptr;
  std::uint32_t statement_ = 0;
  /// Folds finished and partials left so far: each has shared memory of its own.
  std::uint32_t folds_ = 0;
  std::set<ir::SymbolId> declared_;
  std::set<ir::SymbolId> stored_;
  std::map<ir::SymbolId, std::uint32_t> buffer_numbers_;
};

}  // namespace gyre::jit
