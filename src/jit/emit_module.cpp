#include "gyre/jit/emit_module.hpp"

#include "emit_ends.hpp"
#include "emit_kernel.hpp"
#include "emit_resident.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/staging.hpp"
#include "gyre/plan/teams.hpp"
#include "gyre/plan/walk.hpp"
#include "lay_ends.hpp"
#include "lay_steps.hpp"

#include <algorithm>
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
    "#include \"kernels/late.cuh\"\n"
    "#include \"kernels/fold.cuh\"\n"
    "#include \"kernels/inner_fold.cuh\"\n"
    "#include \"kernels/stage.cuh\"\n"
    "#include \"kernels/memory.cuh\"\n"
    "#include \"kernels/fault.cuh\"\n"
    "#include \"kernels/checked.cuh\"\n"
    "#include \"kernels/watch.cuh\"\n"
    "#include \"kernels/decide.cuh\"\n"
    "#include \"kernels/fork.cuh\"\n"
    "#include \"kernels/launch.cuh\"\n";

class EmitModule {
 public:
  EmitModule(const plan::Plan& plan, const EmitOptions& options)
      : plan_(plan),
        out_{.layout = StateLayout(plan, options.traced), .decisions = options.decisions},
        context_{.plan = plan,
                 .layout = out_.layout,
                 .options = options,
                 .names = out_.names,
                 .host_decides = {},
                 .numbers = {},
                 .loop_numbers = {},
                 .first_arms = {},
                 .may_end = may_end(plan, options)} {}

  EmittedModule run() {
    out_.inputs = scalars_with(ir::Intent::In, ir::Intent::Inout);
    out_.outputs = scalars_with(ir::Intent::Out, ir::Intent::Inout);
    number_nodes();
    LaidSteps laid = lay_steps(context_, out_.kernels);
    out_.steps = std::move(laid.steps);
    lay_ends(context_, laid.kernels, out_);
    for (const LaidKernel& kernel : laid.kernels) emit(kernel);
    out_.host_decides = context_.host_decides;
    out_.takes_request = context_.uses_run_limit || !out_.inputs.empty();
    out_.head = "// The kernels of " + plan_.name + ", each under its region.\n" + module_head +
                resident_headers(context_.options) + laid.labels + emit_letters(out_);
    out_.ends = emit_ends(out_);
    out_.source = out_.source_in(std::vector<FoldForm>(out_.kernels.size(), FoldForm::Short));
    out_.listing = out_.head + listing_ + out_.ends;
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
    std::uint32_t arms = 1;
    plan::for_each_node(plan_.body, [&](const plan::Node& node) {
      if (const auto* fork = std::get_if<plan::ForkNode>(&node)) {
        context_.first_arms.emplace(fork, arms);
        arms += static_cast<std::uint32_t>(fork->arms.size());
      }
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

  void emit(const LaidKernel& kernel) {
    EmittedKernel& emitted = out_.kernels[kernel.emitted];
    if (out_.layout.arms() != 0) context_.layout = out_.layout.seen_from(kernel.arm);
    emitted.text = kernel.resident != nullptr
                       ? "\n" + EmitResident(context_, *kernel.resident, *emitted.resident)(emitted)
                       : emit(kernel, emitted, FoldForm::Short);
    listing_ += emitted.text;
    if (kernel.resident != nullptr) return;
    if (kernel.kernel != nullptr && has_long_form(*kernel.kernel, context_.options)) {
      emit_long_form(kernel, emitted, FoldForm::Long, "for long folds");
      emit_staged_form(kernel, emitted);
    }
    for (const Parameter& parameter : emitted.parameters) {
      if (parameter.kind == Parameter::Kind::Shadow) out_.watched.insert(parameter.symbol);
    }
  }

  std::string emit(const LaidKernel& kernel, EmittedKernel& emitted, FoldForm form) {
    return "\n" + EmitKernel(context_, kernel.kernel, emitted.kernel.value_or(0), form)(
                      kernel.nodes, kernel.duties, kernel.standing, emitted);
  }

  void emit_staged_form(const LaidKernel& kernel, EmittedKernel& emitted) {
    if (plan::is_run_by_team(*kernel.kernel->sweep)) return;
    const auto folds = plan::staged_folds(plan_, *kernel.kernel->sweep);
    if (folds.empty()) return;
    emit_long_form(kernel, emitted, FoldForm::Staged, "for long folds side by side");
    emitted.long_forms.at(FoldForm::Staged).stage_bytes = plan::staged_bytes_per_term(plan_, folds);
  }

  void emit_long_form(const LaidKernel& kernel, EmittedKernel& emitted, FoldForm form,
                      const std::string& purpose) {
    EmittedKernel other = emitted;
    other.name = emitted.name_of(form);
    other.region = emitted.region + ", " + purpose;
    other.parameters.clear();
    const std::string text = emit(kernel, other, form);
    listing_ += text;
    emitted.long_forms.emplace(form, LongForm{text, std::move(other.parameters)});
  }

  const plan::Plan& plan_;
  EmittedModule out_;
  ModuleContext context_;
  std::string listing_;
};

}  // namespace

std::string EmittedModule::source_in(const std::vector<FoldForm>& forms) const {
  std::string text = head;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const EmittedKernel& kernel = kernels[i];
    text += forms[i] == FoldForm::Short ? kernel.text : kernel.long_forms.at(forms[i]).text;
  }
  return text + ends;
}

std::string EmittedKernel::name_of(FoldForm form) const {
  switch (form) {
    case FoldForm::Short: return name;
    case FoldForm::Long: return "long_" + name;
    case FoldForm::Staged: return "staged_" + name;
  }
  return name;
}

const std::vector<Parameter>& EmittedKernel::parameters_of(FoldForm form) const {
  return form == FoldForm::Short ? parameters : long_forms.at(form).parameters;
}

unsigned EmittedKernel::stage_bytes() const {
  const auto staged = long_forms.find(FoldForm::Staged);
  return staged == long_forms.end() ? 0 : staged->second.stage_bytes;
}

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
