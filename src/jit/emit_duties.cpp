#include "case_labels.hpp"
#include "emit_kernel.hpp"
#include "emit_text.hpp"

namespace gyre::jit {
namespace {

const std::string& branch_region(const plan::Node& node) {
  const auto* choice = std::get_if<plan::IfNode>(&node);
  return choice != nullptr ? choice->region : std::get<plan::SwitchNode>(node).region;
}

std::size_t arm_count(const plan::Node& node) {
  const auto* many = std::get_if<plan::SwitchNode>(&node);
  return many == nullptr ? 2 : many->cases.size() + 1;
}

}  // namespace

bool EmitKernel::takes_decision(const plan::Node& node, const Duty& duty) const {
  if (std::holds_alternative<plan::ForkNode>(node)) return false;
  if (std::holds_alternative<plan::WhileNode>(node)) return !enters_line(duty);
  return form_of(node, duty) != BranchForm::None &&
         !context_.options.choices.is_predicated(duty.node);
}

// Trips stand ahead of the loop's node: the first of them is told, and the last tells the node.
bool EmitKernel::enters_line(const Duty& duty) const {
  return duty.kind == Duty::Kind::EnterLoop && context_.options.choices.ahead_of(duty.node) != 0;
}

BranchForm EmitKernel::form_of(const plan::Node& node, const Duty& duty) const {
  return context_.ending.contains(duty.node) ? BranchForm::Arms : branch_form(node);
}

void EmitKernel::do_duties(DutyNodes duty_nodes, Duties duties) {
  for (std::size_t i = 0; i < duties.size(); ++i) duty(*duty_nodes[i], duties[i]);
}

void EmitKernel::duty(const plan::Node& node, const Duty& duty) {
  if (const auto* fork = std::get_if<plan::ForkNode>(&node)) return fork_or_join(*fork, duty);
  const auto* loop = std::get_if<plan::WhileNode>(&node);
  const std::string& region = loop != nullptr ? loop->region : branch_region(node);
  if (!region.empty()) line("// Decides " + region + ".");
  line("{");
  ++depth_;
  if (looks_late_) look_at_launch(node, duty, false);
  if (loop != nullptr) {
    decide_loop(*loop, duty);
  } else {
    decide_arm(node, duty);
  }
  --depth_;
  line("}");
}

void EmitKernel::fork_or_join(const plan::ForkNode& fork, const Duty& duty) {
  const bool enters = duty.kind == Duty::Kind::EnterFork;
  std::vector<std::string> distances;
  for (std::uint32_t i = 0; i < fork.arms.size(); ++i) {
    distances.push_back(std::to_string(context_.layout.distance(duty.node + i)));
  }
  if (!fork.region.empty())
    line("// " + std::string(enters ? "Begins " : "Joins ") + fork.region + ".");
  line("gyre::" + std::string(enters ? "enter" : "join") + "_fork<" + joined(distances) +
       ">(state);");
}

void EmitKernel::decide_loop(const plan::WhileNode& loop, const Duty& duty) {
  line("const bool goes_on = " + trip_decision(loop, duty) + ";");
  if (context_.options.traced) {
    line("if (goes_on) " + trace_trip(context_, loop) + ";");
  }
  if (duty.kind == Duty::Kind::NextTrip && standing_.guarded) return line(pass_on(duty, "goes_on"));
  if (enters_line(duty)) {
    const std::uint32_t first = context_.layout.copy_guard(context_.loop_numbers.at(&loop), 0);
    return line(call("gyre::set_guard", {"state", number(first), "goes_on"}) + ";");
  }
  const bool host = context_.host_decides[duty.node];
  line(call(host ? "gyre::tell_host" : "gyre::set_loop",
            {"decision" + number(duty.node), "goes_on"}) +
       ";");
}

void EmitKernel::decide_arm(const plan::Node& node, const Duty& duty) {
  line("const unsigned arm = " + arm_decision(node, duty) + ";");
  const BranchForm form = form_of(node, duty);
  if (form == BranchForm::None) return;
  if (context_.options.choices.is_predicated(duty.node)) return line(guard_arms(node, duty, "arm"));
  const std::string decision = "decision" + number(duty.node);
  if (context_.host_decides[duty.node]) {
    line(call("gyre::tell_host", {decision, "arm"}) + ";");
  } else if (form == BranchForm::If) {
    line(call("gyre::set_if", {decision, "arm"}) + ";");
  } else if (context_.options.decisions == Decisions::IfNodesOnly) {
    line(call("gyre::set_ifs", {decision, "arm", number(arm_count(node))}) + ";");
  } else {
    line(call("gyre::set_switch", {decision, "arm"}) + ";");
  }
}

void EmitKernel::hand_on_nothing(const plan::Node& node, const Duty& duty) {
  if (duty.kind == Duty::Kind::NextTrip) return line(pass_on(duty, "false"));
  if (branch_form(node) != BranchForm::None) {
    line(guard_arms(node, duty, number(arm_count(node))));
  }
}

std::string EmitKernel::pass_on(const Duty& duty, const std::string& goes_on) const {
  const bool host = context_.host_decides[duty.node];
  return call(host ? "gyre::pass_on_to_host" : "gyre::pass_on",
              {"state", "next_guard", "decision" + number(duty.node), goes_on}) +
         ";";
}

std::string EmitKernel::guard_arms(const plan::Node& node, const Duty& duty,
                                   const std::string& arm) const {
  return call("gyre::set_arm_guards", {"state", number(context_.layout.arm_guard(duty.node, 0)),
                                       arm, number(arm_count(node))}) +
         ";";
}

void EmitKernel::look_at_launch(const plan::Node& node, const Duty& duty, bool begins) {
  if (std::holds_alternative<plan::ForkNode>(node)) return;
  if (const auto* loop = std::get_if<plan::WhileNode>(&node)) {
    return line("const gyre::LoopView loop" + number(duty.node) + " = gyre::look_at_loop(state, " +
                number(context_.layout.loop(context_.loop_numbers.at(loop))) + ");");
  }
  line("const bool runs" + number(duty.node) + " = " + (begins ? "true" : "gyre::runs(state)") +
       ";");
}

std::string EmitKernel::arm_decision(const plan::Node& node, const Duty& duty) {
  std::string arm;
  if (const auto* choice = std::get_if<plan::IfNode>(&node)) {
    arm = cell_value(choice->predicate) + " ? 0 : 1";
  } else {
    const auto& many = std::get<plan::SwitchNode>(node);
    arm = emit_find_case(many, duty.node, cell_value(many.selector));
  }
  return call("gyre::choose_arm",
              {"state", "runs" + number(duty.node), arm, number(arm_count(node)),
               number(context_.layout.counter(branch_region(node)))});
}

std::string EmitKernel::trip_decision(const plan::WhileNode& loop, const Duty& duty) {
  const bool enters = duty.kind == Duty::Kind::EnterLoop;
  std::vector<std::string> arguments = {
      "state", number(context_.layout.loop(context_.loop_numbers.at(&loop))),
      "loop" + number(duty.node)};
  if (!enters) {
    // Its limit stands in the view.
  } else if (loop.limit) {
    arguments.push_back(cell_value(*loop.limit));
  } else {
    arguments.push_back(loop.constant_limit
                            ? cpp_literal(ir::Value(*loop.constant_limit))
                            : "static_cast<long long>(" + context_.run_limit() + ")");
  }
  arguments.push_back(cell_value(loop.predicate));
  arguments.push_back(loop.steady ? "true" : "false");
  arguments.push_back(number(context_.layout.counter(loop.region)));
  arguments.push_back(number(context_.names.number(loop.region)));
  return call(enters ? "gyre::enter_loop" : "gyre::decide_trip", arguments);
}

std::string trace_trip(const ModuleContext& context, const plan::WhileNode& loop) {
  return call("gyre::trace_trip",
              {"state", number(context.layout.trace()), number(context.layout.counter(loop.region)),
               number(context.names.number(loop.region))});
}

}  // namespace gyre::jit
