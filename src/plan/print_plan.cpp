#include "gyre/plan/print_plan.hpp"

#include "gyre/plan/host_decisions.hpp"
#include "print_kernel.hpp"

#include <utility>

namespace gyre::plan {
namespace {

std::string label_text(const std::vector<ir::Case::Label>& labels) {
  std::string text;
  for (const ir::Case::Label& label : labels) {
    if (!text.empty()) text += ", ";
    text += std::to_string(label.first);
    if (label.last != label.first + 1) text += ".." + std::to_string(label.last);
  }
  return text;
}

std::string region_text(const std::string& region) {
  return region.empty() ? std::string() : "  # " + region;
}

class PrintPlan {
 public:
  explicit PrintPlan(const Plan& plan) : plan_(plan), kernels_(plan) {}

  std::string run() {
    line("plan " + plan_.name + ": " + std::to_string(plan_.kernels.size()) + " kernels, " +
         std::to_string(plan_.reductions.size()) + " reductions");
    block(plan_.body);
    for (const std::string& sentence : explain_host_decisions(plan_)) line(sentence);
    return std::move(text_);
  }

 private:
  void line(const std::string& content) { text_ += std::string(2 * depth_, ' ') + content + "\n"; }

  void block(const Block& nodes) {
    ++depth_;
    if (nodes.nodes.empty()) line("nothing");
    for (const Node& node : nodes.nodes) {
      std::visit([&](const auto& kind) { print(kind); }, node);
    }
    --depth_;
  }

  std::string name(ir::SymbolId id) const { return plan_[id].name; }

  void print(const Launch& launch) {
    const Kernel& kernel = plan_.kernels[launch.kernel];
    line("kernel " + kernel.name + region_text(kernel.region));
    ++depth_;
    for (const std::string& one : kernels_.lines(kernel)) line(one);
    --depth_;
  }
  void print(const Clear& clear) { line("clear " + name(clear.buffer)); }
  void print(const CopyBuffer& copy) {
    line("copy " + name(copy.to) + " = " + name(copy.from) + region_text(copy.region));
  }
  void print(const RunCall& call) {
    std::string arguments;
    for (const ir::SymbolId argument : call.arguments) {
      arguments += (arguments.empty() ? "" : ", ") + name(argument);
    }
    const bool on_host = call.callee->placement == ir::Placement::Host;
    line("call " + call.callee->name + "(" + arguments + ")" + region_text(call.region) +
         (on_host ? ", on the host" : "") + (call.callee->guarded ? ", guarded" : ""));
  }
  void print(const IfNode& node) {
    line("if " + name(node.predicate) + region_text(node.region));
    block(*node.then);
    if (node.otherwise->nodes.empty()) return;
    line("else");
    block(*node.otherwise);
  }
  void print(const WhileNode& node) {
    std::string head = "while " + name(node.predicate);
    if (node.limit) head += " limit " + name(*node.limit);
    if (node.constant_limit) head += " limit " + std::to_string(*node.constant_limit);
    if (node.expect) head += (node.counted ? " trips " : " expect ") + std::to_string(*node.expect);
    if (node.steady) head += " steady";
    if (node.swap) head += " swaps " + name(node.swap->to) + ", " + name(node.swap->from);
    line(head + region_text(node.region));
    block(*node.body);
  }
  void print(const SwitchNode& node) {
    line("switch " + name(node.selector) + region_text(node.region));
    for (std::size_t i = 0; i < node.cases.size(); ++i) {
      line("case " + label_text(node.labels[i]));
      block(node.cases[i]);
    }
    line("default");
    block(*node.otherwise);
  }

  void print(const ForkNode& node) {
    for (std::size_t i = 0; i < node.arms.size(); ++i) {
      line(i == 0 ? "fork" + region_text(node.region) : "and");
      block(node.arms[i]);
    }
  }

  const Plan& plan_;
  PrintKernel kernels_;
  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string print_plan(const Plan& plan) {
  return PrintPlan(plan).run();
}

}  // namespace gyre::plan
