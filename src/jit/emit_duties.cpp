#include "emit_kernel.hpp"
#include "emit_text.hpp"

namespace gyre::jit {

bool EmitKernel::takes_decision(const plan::Node& node, const Duty& duty) const {
  if (!std::holds_alternative<plan::WhileNode>(node)) {
    return branch_form(node) != BranchForm::None;
  }
  return duty.kind == Duty::Kind::EnterLoop || !context_.runs_ahead[duty.node];
}

void EmitKernel::duty(const plan::Node& node, const Duty& duty) {
  const std::string once = "if (blockIdx.x == 0 && threadIdx.x == 0) ";
  const std::string decision = "decision" + number(duty.node);
  const bool host = context_.host_decides[duty.node];
  if (const auto* loop = std::get_if<plan::WhileNode>(&node)) {
    const std::string goes_on = trip_decision(*loop, duty);
    line(once +
         (takes_decision(node, duty)
              ? call(host ? "gyre::tell_host" : "gyre::set_loop", {decision, goes_on})
              : goes_on) +
         ";");
    return;
  }
  std::string arm;
  std::size_t arms = 2;
  std::string counter;
  if (const auto* choice = std::get_if<plan::IfNode>(&node)) {
    arm = cell_value(choice->predicate) + " ? 0 : 1";
    counter = number(context_.layout.counter(choice->region));
  } else {
    const auto& many = std::get<plan::SwitchNode>(node);
    arms = many.cases.size() + 1;
    arm = call("gyre::find_case", {"labels" + number(duty.node), number(label_count(many)),
                                   cell_value(many.selector), number(many.cases.size())});
    counter = number(context_.layout.counter(many.region));
  }
  const std::string chosen = call("gyre::choose_arm", {"state", arm, number(arms), counter});
  const BranchForm form = branch_form(node);
  if (form == BranchForm::None) {
    line(once + chosen + ";");
  } else if (host) {
    line(once + call("gyre::tell_host", {decision, chosen}) + ";");
  } else if (form == BranchForm::If) {
    line(once + call("gyre::set_if", {decision, chosen}) + ";");
  } else if (context_.options.decisions == Decisions::IfNodesOnly) {
    line(once + call("gyre::set_ifs", {decision, chosen, number(arms)}) + ";");
  } else {
    line(once + call("gyre::set_switch", {decision, chosen}) + ";");
  }
}

std::string EmitKernel::trip_decision(const plan::WhileNode& loop, const Duty& duty) {
  std::vector<std::string> arguments = {
      "state", number(context_.layout.loop(context_.loop_numbers.at(&loop)))};
  if (duty.kind == Duty::Kind::EnterLoop) {
    arguments.push_back(loop.limit ? cell_value(*loop.limit)
                        : loop.constant_limit
                            ? cpp_literal(ir::Value(*loop.constant_limit))
                            : "static_cast<long long>(gyre::control(state).max_trips)");
  }
  arguments.push_back(cell_value(loop.predicate));
  arguments.push_back(loop.steady ? "true" : "false");
  arguments.push_back(number(context_.layout.counter(loop.region)));
  arguments.push_back(number(context_.names.number(loop.region)));
  return call(duty.kind == Duty::Kind::EnterLoop ? "gyre::enter_loop" : "gyre::next_trip",
              arguments);
}

std::size_t label_count(const plan::SwitchNode& node) {
  std::size_t count = 0;
  for (const auto& labels : node.labels) count += labels.size();
  return count;
}

}  // namespace gyre::jit
