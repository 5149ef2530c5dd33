#include "lay_steps.hpp"

#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace gyre::jit {
namespace {

/// Under which guard steps stand: that of an arm, or (0) the one of their copy of a trip, if their
/// body holds several.
struct Scope {
  std::uint32_t guard = 0;
  bool guarded = false;
};

class LaySteps {
 public:
  LaySteps(const ModuleContext& context, std::vector<EmittedKernel>& kernels)
      : context_(context), kernels_(kernels) {}

  LaidSteps run() {
    laid_.steps = steps(context_.plan.body);
    return std::move(laid_);
  }

 private:
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
      out.push_back(kernel_step(&context_.plan.kernels[launch->kernel], launch->kernel));
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
    const std::uint32_t odd = context_.layout.odd_guard(context_.loop_numbers.at(loop));
    const Scope outer = std::exchange(scope_, Scope{odd, true});
    const std::uint32_t copy = loop->swap->kernel;
    out.push_back(kernel_step(&context_.plan.kernels[copy], copy));
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
    out.push_back({.kernel = static_cast<std::uint32_t>(kernels_.size())});
    laid_.kernels.push_back({*out.back().kernel, nullptr, {}, {}, false, loop});
    kernels_.push_back(std::move(emitted));
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
      auto made = steps(*block, {context_.layout.arm_guard(number, arm++), true});
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
        if (is_own) placed.guard = context_.layout.copy_guard(loop_number, copy);
      }
      if (copy + 1 < copies) {
        all.back().next_guard = context_.layout.copy_guard(loop_number, copy + 1);
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
                            laid_.kernels[*line.back().kernel].resident == nullptr;
    const plan::Kernel* last = has_kernel ? laid_.kernels[*line.back().kernel].kernel : nullptr;
    const bool fits = has_kernel && (last == nullptr || !last->sweep || !context_.may_end);
    if (!fits) line.push_back(kernel_step(nullptr, 0));
    LaidKernel& kernel = laid_.kernels[*line.back().kernel];
    kernel.nodes.push_back(&node);
    kernel.duties.push_back(duty);
  }

  Step kernel_step(const plan::Kernel* kernel, std::uint32_t kernel_number) {
    return {.kernel = add_kernel(kernel, kernel_number), .guard = scope_.guard};
  }

  std::uint32_t add_kernel(const plan::Kernel* kernel, std::uint32_t kernel_number) {
    const auto number = static_cast<std::uint32_t>(kernels_.size());
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
      emitted.region = context_.plan.name;
    }
    emitted.follows = true;
    kernels_.push_back(std::move(emitted));
    laid_.kernels.push_back({number, kernel, {}, {}, scope_.guarded});
    return number;
  }

  void add_labels(const plan::SwitchNode& node, std::uint32_t number) {
    std::vector<std::array<std::int64_t, 3>> rows;
    for (std::size_t i = 0; i < node.labels.size(); ++i) {
      for (const ir::Case::Label& label : node.labels[i]) {
        rows.push_back({label.first, label.last, static_cast<std::int64_t>(i)});
      }
    }
    std::sort(rows.begin(), rows.end());
    if (laid_.labels.empty()) laid_.labels = "\n";
    laid_.labels += "__device__ const long long labels" + std::to_string(number) + "[] = {";
    for (const auto& row : rows) {
      for (const std::int64_t value : row) laid_.labels += cpp_literal(ir::Value(value)) + ", ";
    }
    laid_.labels += rows.empty() ? "0};\n" : "};\n";
  }

  const ModuleContext& context_;
  std::vector<EmittedKernel>& kernels_;
  LaidSteps laid_;
  /// Of the block that is being made.
  Scope scope_;
  /// Of the loop whose body is being made, where its buffers take turns.
  const plan::WhileNode::Swap* swap_ = nullptr;
};

}  // namespace

LaidSteps lay_steps(const ModuleContext& context, std::vector<EmittedKernel>& kernels) {
  return LaySteps(context, kernels).run();
}

}  // namespace gyre::jit
