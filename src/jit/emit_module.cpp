#include "gyre/jit/emit_module.hpp"

#include "emit_ends.hpp"
#include "emit_kernel.hpp"
#include "emit_resident.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace gyre::jit {
namespace {

// The plan may end a launch in the middle of a straight line: by a fault, or the limit of a loop
// within an index. What follows a stop is branched around.
bool may_end(const plan::Plan& plan, const EmitOptions& options) {
  return options.checked ||
         std::any_of(plan.kernels.begin(), plan.kernels.end(),
                     [](const plan::Kernel& kernel) { return plan::may_fault(kernel); });
}

bool all_empty(const std::vector<plan::Block>& blocks) {
  return std::all_of(blocks.begin(), blocks.end(),
                     [](const plan::Block& block) { return block.nodes.empty(); });
}

constexpr const char* module_head =
    "#include \"gyre/ir/scalar_ops.hpp\"\n"
    "#include \"gyre/ir/strands.hpp\"\n"
    "#include \"kernels/chain.cuh\"\n"
    "#include \"kernels/state.cuh\"\n"
    "#include \"kernels/fold.cuh\"\n"
    "#include \"kernels/inner_fold.cuh\"\n"
    "#include \"kernels/memory.cuh\"\n"
    "#include \"kernels/fault.cuh\"\n"
    "#include \"kernels/checked.cuh\"\n"
    "#include \"kernels/watch.cuh\"\n"
    "#include \"kernels/decide.cuh\"\n"
    "#include \"kernels/launch.cuh\"\n";

/// Under which guard steps stand: that of an arm, or (0) the one of their copy of a trip, if their
/// body holds several.
struct Scope {
  std::uint32_t guard = 0;
  bool guarded = false;
};

class EmitModule {
 public:
  EmitModule(const plan::Plan& plan, const EmitOptions& options)
      : plan_(plan),
        out_{.layout = StateLayout(plan), .decisions = options.decisions},
        context_{plan, out_.layout, options, out_.names, {}, {}, {}, may_end(plan, options)} {}

  EmittedModule run() {
    out_.inputs = scalars_with(ir::Intent::In, ir::Intent::Inout);
    out_.outputs = scalars_with(ir::Intent::Out, ir::Intent::Inout);
    number_nodes();
    out_.steps = steps(plan_.body);
    emit_pending();
    using Kind = Parameter::Kind;
    out_.steps.insert(out_.steps.begin(),
                      end_kernel("gyre_begin", {Kind::Requests, Kind::Places, Kind::RequestBytes}));
    out_.steps.push_back(end_kernel("gyre_end", {Kind::Results, Kind::Places, Kind::ResultBytes}));
    out_.host_decides = context_.host_decides;
    out_.source = "// The kernels of " + plan_.name + ", each under its region.\n" + module_head +
                  resident_headers(context_.options) + labels_ + source_ + emit_ends(out_);
    return std::move(out_);
  }

 private:
  std::vector<ir::SymbolId> scalars_with(ir::Intent one, ir::Intent other) const {
    std::vector<ir::SymbolId> found;
    for (std::size_t i = 0; i < plan_.symbols.size(); ++i) {
      const ir::Symbol& symbol = plan_.symbols[i];
      const bool is_passed = symbol.intent == one || symbol.intent == other;
      if (symbol.kind == ir::SymbolKind::Scalar && is_passed) {
        found.push_back(static_cast<ir::SymbolId>(i));
      }
    }
    return found;
  }

  void number_nodes() {
    std::uint32_t loops = 0;
    plan::for_each_node(plan_.body, [&](const plan::Node& node) {
      if (const auto* loop = std::get_if<plan::WhileNode>(&node)) {
        context_.loop_numbers.emplace(loop, loops++);
      } else if (!std::holds_alternative<plan::IfNode>(node) &&
                 !std::holds_alternative<plan::SwitchNode>(node)) {
        return;
      }
      const std::uint32_t number = out_.conditional_count++;
      context_.numbers.emplace(&node, number);
      const auto& options = context_.options;
      const bool host = options.decisions == Decisions::Host ||
                        (number < options.host_decides.size() && options.host_decides[number]);
      context_.host_decides.push_back(host);
    });
  }

  // A kernel whose text waits until it is known which duties it has.
  struct Pending {
    std::uint32_t emitted;
    const plan::Kernel* kernel;
    std::vector<const plan::Node*> nodes;
    std::vector<Duty> duties;
    bool guarded;
    /// The kernel is this loop.
    const plan::WhileNode* resident = nullptr;
  };

  std::vector<Step> steps(const plan::Block& block, Scope scope = {}) {
    const Scope outer = std::exchange(scope_, scope);
    std::vector<Step> out;
    for (const plan::Node& node : block.nodes) add(node, out);
    scope_ = outer;
    return out;
  }

  void add(const plan::Node& node, std::vector<Step>& out) {
    if (const auto* launch = std::get_if<plan::Launch>(&node)) {
      if (swap_ != nullptr && launch->kernel == swap_->kernel) return;
      out.push_back(kernel_step(&plan_.kernels[launch->kernel], launch->kernel));
      return;
    }
    if (add_resident(node, out)) return;
    Step step{.node = &node, .guard = scope_.guard};
    const auto found = context_.numbers.find(&node);
    if (found != context_.numbers.end()) {
      step.number = found->second;
      const bool is_loop = std::holds_alternative<plan::WhileNode>(node);
      give_duty({is_loop ? Duty::Kind::EnterLoop : Duty::Kind::ChooseArm, step.number}, node, out);
      if (context_.options.choices.is_predicated(step.number)) return add_arms(node, out);
      add_blocks(node, step);
    }
    out.push_back(std::move(step));
    add_due_copy(node, out);
  }

  // Buffers that changed places an odd number of times are not where they belong.
  void add_due_copy(const plan::Node& node, std::vector<Step>& out) {
    const auto* loop = std::get_if<plan::WhileNode>(&node);
    if (loop == nullptr || swap_of(*loop, node) == nullptr) return;
    const std::uint32_t odd = out_.layout.odd_guard(context_.loop_numbers.at(loop));
    const Scope outer = std::exchange(scope_, Scope{odd, true});
    const std::uint32_t copy = loop->swap->kernel;
    out.push_back(kernel_step(&plan_.kernels[copy], copy));
    scope_ = outer;
  }

  // The buffers that take turns from trip to trip, if the body's trips are even in number.
  const plan::WhileNode::Swap* swap_of(const plan::WhileNode& loop, const plan::Node& node) const {
    const auto copies = context_.options.choices.copies_of(context_.numbers.at(&node));
    return loop.swap && copies % 2 == 0 ? &*loop.swap : nullptr;
  }

  bool add_resident(const plan::Node& node, std::vector<Step>& out) {
    const auto* loop = std::get_if<plan::WhileNode>(&node);
    if (loop == nullptr) return false;
    const auto number = context_.numbers.at(&node);
    const auto found = context_.options.resident.find(number);
    if (found == context_.options.resident.end()) return false;
    EmittedKernel emitted;
    emitted.resident = found->second;
    emitted.loop = number;
    out.push_back({.kernel = static_cast<std::uint32_t>(out_.kernels.size())});
    pending_.push_back({*out.back().kernel, nullptr, {}, {}, false, loop});
    out_.kernels.push_back(std::move(emitted));
    plan::for_each_node(*loop->body, [&](const plan::Node& inner) {
      const auto* many = std::get_if<plan::SwitchNode>(&inner);
      if (many != nullptr) add_labels(*many, context_.numbers.at(&inner));
    });
    return true;
  }

  // The arms in line, each under its guard.
  void add_arms(const plan::Node& node, std::vector<Step>& out) {
    const std::uint32_t number = context_.numbers.at(&node);
    std::uint32_t arm = 0;
    for (const plan::Block* block : arms_of(node)) {
      auto made = steps(*block, {out_.layout.arm_guard(number, arm++), true});
      std::move(made.begin(), made.end(), std::back_inserter(out));
    }
    if (const auto* many = std::get_if<plan::SwitchNode>(&node)) add_labels(*many, number);
  }

  void add_blocks(const plan::Node& node, Step& step) {
    if (const auto* loop = std::get_if<plan::WhileNode>(&node)) {
      step.blocks.push_back(trips(*loop, node));
      return;
    }
    for (const plan::Block* block : arms_of(node)) step.blocks.push_back(steps(*block));
    if (const auto* many = std::get_if<plan::SwitchNode>(&node)) add_labels(*many, step.number);
  }

  static std::vector<const plan::Block*> arms_of(const plan::Node& node) {
    if (const auto* choice = std::get_if<plan::IfNode>(&node)) {
      return {choice->then.get(), choice->otherwise.get()};
    }
    const auto& many = std::get<plan::SwitchNode>(node);
    std::vector<const plan::Block*> arms;
    for (const plan::Block& one : many.cases) arms.push_back(&one);
    arms.push_back(many.otherwise.get());
    return arms;
  }

  // A body: one trip, or copies of it in line. The same kernels make them all, each told which
  // guard is its own and, at the end of a copy, which is the next one's.
  std::vector<Step> trips(const plan::WhileNode& loop, const plan::Node& node) {
    const std::uint32_t number = context_.numbers.at(&node);
    const std::uint32_t copies = context_.options.choices.copies_of(number);
    const Scope scope{0, copies > 1};
    const auto* const outer_swap = std::exchange(swap_, swap_of(loop, node));
    std::vector<Step> trip = steps(*loop.body, scope);
    const Scope outer = std::exchange(scope_, scope);
    give_duty({Duty::Kind::NextTrip, number}, node, trip);
    scope_ = outer;

    const std::uint32_t loop_number = context_.loop_numbers.at(&loop);
    std::vector<Step> all;
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
      for (const Step& step : trip) {
        Step& placed = all.emplace_back(step);
        const bool is_own = placed.guard == 0 && copy != 0;
        if (copy % 2 != 0) placed.swapped = swap_;
        if (is_own) placed.guard = out_.layout.copy_guard(loop_number, copy);
      }
      if (copy + 1 < copies) {
        all.back().next_guard = out_.layout.copy_guard(loop_number, copy + 1);
      }
    }
    swap_ = outer_swap;
    return all;
  }

  // One thread of the line's last kernel decides, if that kernel cannot fault beside it; else a
  // kernel of its own does.
  void give_duty(const Duty& duty, const plan::Node& node, std::vector<Step>& line) {
    const bool has_kernel = !line.empty() && line.back().kernel.has_value() &&
                            line.back().guard == scope_.guard &&
                            pending_[*line.back().kernel].resident == nullptr;
    const plan::Kernel* last = has_kernel ? pending_[*line.back().kernel].kernel : nullptr;
    const bool fits = has_kernel && (last == nullptr || !last->sweep || !context_.may_end);
    if (!fits) line.push_back(kernel_step(nullptr, 0));
    Pending& pending = pending_[*line.back().kernel];
    pending.nodes.push_back(&node);
    pending.duties.push_back(duty);
  }

  Step kernel_step(const plan::Kernel* kernel, std::uint32_t kernel_number) {
    return {.kernel = add_kernel(kernel, kernel_number), .guard = scope_.guard};
  }

  std::uint32_t add_kernel(const plan::Kernel* kernel, std::uint32_t kernel_number) {
    const auto number = static_cast<std::uint32_t>(out_.kernels.size());
    EmittedKernel emitted;
    if (kernel != nullptr) {
      emitted.name = kernel->name;
      emitted.region = kernel->region;
      emitted.kernel = kernel_number;
      const bool folds = std::any_of(kernel->prologue.begin(), kernel->prologue.end(),
                                     [](const plan::ScalarStep& step) {
                                       return std::holds_alternative<plan::Finish>(step.kind);
                                     });
      if (kernel->sweep || folds) emitted.threads = 256;
    } else {
      emitted.name = "decide_" + std::to_string(number);
      emitted.region = plan_.name;
    }
    emitted.follows = true;
    out_.kernels.push_back(std::move(emitted));
    pending_.push_back({number, kernel, {}, {}, scope_.guarded});
    return number;
  }

  void emit_pending() {
    for (const Pending& pending : pending_) {
      EmittedKernel& emitted = out_.kernels[pending.emitted];
      if (pending.resident != nullptr) {
        source_ += "\n" + EmitResident(context_, *pending.resident, *emitted.resident)(emitted);
        continue;
      }
      if (pending.kernel != nullptr) {
        emitted.has_long_form = has_long_form(*pending.kernel, context_.options);
      }
      emit(pending, emitted, false);
      if (emitted.has_long_form) emit_long_form(pending, emitted);
      for (const Parameter& parameter : emitted.parameters) {
        if (parameter.kind == Parameter::Kind::Shadow) out_.watched.insert(parameter.symbol);
      }
    }
  }

  void emit(const Pending& pending, EmittedKernel& emitted, bool long_folds) {
    source_ += "\n" + EmitKernel(context_, pending.kernel, emitted.kernel.value_or(0), long_folds)(
                          pending.nodes, pending.duties, pending.guarded, emitted);
  }

  // It takes what the other form takes, and may take more behind that; what is given beyond what a
  // function takes is left alone.
  void emit_long_form(const Pending& pending, EmittedKernel& emitted) {
    EmittedKernel long_form = emitted;
    long_form.name = "long_" + emitted.name;
    long_form.region = emitted.region + ", for long folds";
    long_form.parameters.clear();
    emit(pending, long_form, true);
    emitted.parameters = std::move(long_form.parameters);
  }

  // Emitted by emit_ends.
  Step end_kernel(const std::string& name, const std::vector<Parameter::Kind>& parameters) {
    EmittedKernel emitted{.name = name, .region = plan_.name, .parameters = {}, .threads = 256};
    emitted.follows = true;
    for (const Parameter::Kind kind : parameters) emitted.parameters.push_back({kind});
    out_.kernels.push_back(std::move(emitted));
    return {.kernel = static_cast<std::uint32_t>(out_.kernels.size() - 1)};
  }

  void add_labels(const plan::SwitchNode& node, std::uint32_t number) {
    std::vector<std::array<std::int64_t, 3>> rows;
    for (std::size_t i = 0; i < node.labels.size(); ++i) {
      for (const ir::Case::Label& label : node.labels[i]) {
        rows.push_back({label.first, label.last, static_cast<std::int64_t>(i)});
      }
    }
    std::sort(rows.begin(), rows.end());
    if (labels_.empty()) labels_ = "\n";
    labels_ += "__device__ const long long labels" + std::to_string(number) + "[] = {";
    for (const auto& row : rows) {
      for (const std::int64_t value : row) labels_ += cpp_literal(ir::Value(value)) + ", ";
    }
    labels_ += rows.empty() ? "0};\n" : "};\n";
  }

  const plan::Plan& plan_;
  EmittedModule out_;
  ModuleContext context_;
  std::vector<Pending> pending_;
  /// Of the block that is being made.
  Scope scope_;
  /// Of the loop whose body is being made, where its buffers take turns.
  const plan::WhileNode::Swap* swap_ = nullptr;
  std::string labels_;
  std::string source_;
};

}  // namespace

BranchForm branch_form(const plan::Node& node) {
  if (const auto* choice = std::get_if<plan::IfNode>(&node)) {
    if (!choice->otherwise->nodes.empty()) return BranchForm::Arms;
    return choice->then->nodes.empty() ? BranchForm::None : BranchForm::If;
  }
  const auto& many = std::get<plan::SwitchNode>(node);
  const bool nothing = many.otherwise->nodes.empty() && all_empty(many.cases);
  return nothing ? BranchForm::None : BranchForm::Arms;
}

EmittedModule emit_module(const plan::Plan& plan, const EmitOptions& options) {
  return EmitModule(plan, options).run();
}

}  // namespace gyre::jit
