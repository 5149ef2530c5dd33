#include "gyre/plan/print_plan.hpp"
#include "print_kernel.hpp"

#include <utility>

namespace gyre::plan {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

class PrintDot {
 public:
  explicit PrintDot(const Plan& plan) : plan_(plan), kernels_(plan) {}

  std::string run() {
    text_ = "digraph \"" + escaped(plan_.name) + "\" {\n" +
            "  node [shape=box, fontname=monospace, fontsize=10];\n" +
            "  edge [color=gray40];\n  compound=true;\n";
    std::string before = add_node("start", "shape=circle");
    before = block(plan_.body, std::move(before));
    connect(before, add_node("end", "shape=circle"));
    return text_ + "}\n";
  }

 private:
  // Each returns the node from which the next edge starts.
  std::string block(const Block& nodes, std::string before) {
    for (const Node& node : nodes.nodes) {
      before = std::visit([&](const auto& kind) { return print(kind, before); }, node);
    }
    return before;
  }

  std::string print(const Launch& launch, const std::string& before) {
    const Kernel& kernel = plan_.kernels[launch.kernel];
    std::string label = escaped(kernel.name) + "\\l";
    for (const std::string& line : kernels_.lines(kernel)) label += escaped("  " + line) + "\\l";
    return then(before, label, "");
  }
  std::string print(const Clear& clear, const std::string& before) {
    return then(before, "clear " + plan_[clear.buffer].name, "style=rounded");
  }
  std::string print(const CopyBuffer& copy, const std::string& before) {
    return then(before, "copy " + plan_[copy.to].name + " = " + plan_[copy.from].name,
                "style=rounded");
  }
  std::string print(const RunCall& call, const std::string& before) {
    return then(before, "call " + escaped(call.callee->name), "shape=component");
  }

  std::string print(const IfNode& node, const std::string& before) {
    const std::string test = then(before, "if " + plan_[node.predicate].name, "shape=diamond");
    std::string joined = add_node("", "shape=point");
    arm("then", *node.then, test, joined);
    arm("else", *node.otherwise, test, joined);
    return joined;
  }
  std::string print(const SwitchNode& node, const std::string& before) {
    const std::string test = then(before, "switch " + plan_[node.selector].name, "shape=diamond");
    std::string joined = add_node("", "shape=point");
    for (std::size_t i = 0; i < node.cases.size(); ++i) {
      arm("case " + std::to_string(i), node.cases[i], test, joined);
    }
    arm("default", *node.otherwise, test, joined);
    return joined;
  }
  std::string print(const WhileNode& node, const std::string& before) {
    std::string test = then(before, "while " + plan_[node.predicate].name, "shape=diamond");
    const std::string last = cluster(node.region, [&] { return block(*node.body, test); });
    text_ += "  " + last + " -> " + test + " [style=dashed, constraint=false];\n";
    return test;
  }

  std::string print(const ForkNode& node, const std::string& before) {
    const std::string start = then(before, "fork", "shape=triangle");
    std::string joined = add_node("join", "shape=invtriangle");
    for (std::size_t i = 0; i < node.arms.size(); ++i) {
      arm("arm " + std::to_string(i), node.arms[i], start, joined);
    }
    return joined;
  }

  void arm(const std::string& name, const Block& body, const std::string& test,
           const std::string& joined) {
    const std::string last = cluster(name, [&] { return block(body, test); });
    connect(last, joined);
  }

  template <class Inside>
  std::string cluster(const std::string& label, Inside inside) {
    text_ += "  subgraph cluster_" + std::to_string(count_++) + " {\n  label=\"" + escaped(label) +
             "\"; fontname=monospace; fontsize=10;\n";
    std::string last = inside();
    text_ += "  }\n";
    return last;
  }

  std::string then(const std::string& before, const std::string& label, const std::string& style) {
    std::string made = add_node(label, style);
    connect(before, made);
    return made;
  }

  std::string add_node(const std::string& label, const std::string& style) {
    std::string id = "n" + std::to_string(count_++);
    text_ += "  " + id + " [label=\"" + label + "\"" + (style.empty() ? "" : ", " + style) + "];\n";
    return id;
  }

  void connect(const std::string& from, const std::string& to) {
    text_ += "  " + from + " -> " + to + ";\n";
  }

  const Plan& plan_;
  PrintKernel kernels_;
  std::string text_;
  int count_ = 0;
};

}  // namespace

std::string print_plan_dot(const Plan& plan) {
  return PrintDot(plan).run();
}

}  // namespace gyre::plan
