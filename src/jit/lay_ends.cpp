#include "lay_ends.hpp"

#include <algorithm>

namespace gyre::jit {
namespace {

using Kind = Parameter::Kind;

/// A warp for each place of the queue (kernels/launch.cuh).
constexpr unsigned begin_threads = 32 * queue_places;

/// A branch of more arms has one end of the launch behind it instead of one in each.
constexpr std::size_t most_ending_arms = 128;

class LayEnds {
 public:
  LayEnds(ModuleContext& context, const std::vector<LaidKernel>& laid, EmittedModule& module)
      : context_(context), laid_(laid), module_(module) {}

  void run() {
    begin();
    end(module_.steps, added("gyre_end", {{Kind::Results}, {Kind::Places}, {Kind::ResultBytes}}));
  }

 private:
  // By the first kernel, if one block runs it, since it reads what the launch is told.
  void begin() {
    auto& steps = module_.steps;
    const auto first = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
      return step.kernel || !may_precede_begin(*step.node);
    });
    if (first != steps.end() && first->kernel && may_begin(laid_[*first->kernel])) {
      EmittedKernel& kernel = module_.kernels[*first->kernel];
      kernel.begins = true;
      kernel.threads = begin_threads;
      module_.begins_within = true;
      return;
    }
    steps.insert(steps.begin(),
                 added("gyre_begin", {{Kind::Requests}, {Kind::Places}, {Kind::RequestBytes}}));
  }

  static bool may_begin(const LaidKernel& laid) {
    return laid.resident == nullptr && !laid.standing.guarded &&
           (laid.kernel == nullptr || !laid.kernel->sweep);
  }

  // What knows nothing of the launch: neither a scalar nor whether it was ended.
  bool may_precede_begin(const plan::Node& node) const {
    const auto* call = std::get_if<plan::RunCall>(&node);
    if (call == nullptr) {
      return std::holds_alternative<plan::Clear>(node) ||
             std::holds_alternative<plan::CopyBuffer>(node);
    }
    return call->callee->placement != ir::Placement::Host &&
           std::all_of(call->arguments.begin(), call->arguments.end(), [&](ir::SymbolId argument) {
             return context_.plan[argument].kind == ir::SymbolKind::Buffer;
           });
  }

  // In every arm of a branch that nothing follows, and in one more for a launch that was over
  // before, where no arm runs.
  void end(std::vector<Step>& steps, const Step& last) {
    if (!steps.empty() && may_end_within(steps.back())) {
      Step& branch = steps.back();
      branch.ends = true;
      context_.ending.insert(branch.number);
      for (auto& block : branch.blocks) end(block, last);
      branch.blocks.push_back({last});
      return;
    }
    steps.push_back(last);
  }

  // IF nodes, one an arm, are passed by in line: one more in each would be one more to pass by.
  bool may_end_within(const Step& step) const {
    return context_.options.decisions == Decisions::ConditionalNodes && !step.kernel &&
           !step.blocks.empty() && !step.side_by_side &&
           !std::holds_alternative<plan::WhileNode>(*step.node) &&
           branch_form(*step.node) != BranchForm::None && !context_.host_decides[step.number] &&
           step.blocks.size() <= most_ending_arms;
  }

  // Emitted by emit_ends.
  Step added(const std::string& name, std::vector<Parameter> parameters) {
    EmittedKernel emitted{.name = name,
                          .region = context_.plan.name,
                          .parameters = std::move(parameters),
                          .threads = begin_threads};
    emitted.follows = true;
    module_.kernels.push_back(std::move(emitted));
    return {.kernel = static_cast<std::uint32_t>(module_.kernels.size() - 1)};
  }

  ModuleContext& context_;
  const std::vector<LaidKernel>& laid_;
  EmittedModule& module_;
};

}  // namespace

void lay_ends(ModuleContext& context, const std::vector<LaidKernel>& laid, EmittedModule& module) {
  LayEnds(context, laid, module).run();
}

}  // namespace gyre::jit
