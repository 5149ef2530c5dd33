#include "lay_steps.hpp"

#include "case_labels.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gyre::jit {
namespace {

/// Under which guard steps stand: that of an arm, or (0) the one of their copy of a trip, if their
/// body holds several. And whether a loop stands before them in their block, or before the fork
/// that the block is an arm of.
struct Scope {
  std::uint32_t guard = 0;
  Standing standing = {};
};

class LaySteps {
 public:
  LaySteps(const ModuleContext& context, std::vector<EmittedKernel>& kernels)
      : context_(context), kernels_(kernels), layout_(context.layout) {}

  LaidSteps run() {
    laid_.steps = steps(context_.plan.body);
    return std::move(laid_);
  }

 private:
  std::vector<Step> steps(const plan::Block& block, Scope scope = {}) {
    const Scope outer = std::exchange(scope_, scope);
    std::vector<Step> out;
    for (const plan::Node& node : block.nodes) {
      const std::size_t loops = loops_;
      add(node, out);
      if (loops_ != loops) scope_.standing.follows_loop = true;
    }
    scope_ = outer;
    return out;
  }

  void add(const plan::Node& node, std::vector<Step>& out) {
    if (const auto* launch = std::get_if<plan::Launch>(&node)) {
      if (swap_ != nullptr && launch->kernel == swap_->kernel) return;
      out.push_back(kernel_step(&context_.plan.kernels[launch->kernel], launch->kernel));
      return;
    }
    if (std::holds_alternative<plan::WhileNode>(node)) ++loops_;
    if (add_resident(node, out)) return;
    if (const auto* fork = std::get_if<plan::ForkNode>(&node)) return add_fork(*fork, node, out);
    Step step{.node = &node, .guard = scope_.guard, .arm = arm_};
    const auto found = context_.numbers.find(&node);
    if (found != context_.numbers.end()) {
      step.number = found->second;
      const bool is_loop = std::holds_alternative<plan::WhileNode>(node);
      give_duty({is_loop ? Duty::Kind::EnterLoop : Duty::Kind::ChooseArm, step.number}, node, out);
      if (context_.options.choices.is_predicated(step.number)) return add_arms(node, out);
      add_blocks(node, step, out);
    }
    out.push_back(std::move(step));
    add_due_copy(node, out);
  }

  // Buffers that changed places an odd number of times are not where they belong.
  void add_due_copy(const plan::Node& node, std::vector<Step>& out) {
    const auto* loop = std::get_if<plan::WhileNode>(&node);
    if (loop == nullptr || swap_of(*loop, node) == nullptr) return;
    const std::uint32_t odd = layout_.odd_guard(context_.loop_numbers.at(loop));
    const Scope outer = std::exchange(scope_, Scope{odd, {.guarded = true}});
    const std::uint32_t copy = loop->swap->kernel;
    out.push_back(kernel_step(&context_.plan.kernels[copy], copy));
    scope_ = outer;
  }

  // The buffers that take turns from trip to trip, if the body's trips are even in number.
  const plan::WhileNode::Swap* swap_of(const plan::WhileNode& loop, const plan::Node& node) const {
    const std::uint32_t number = context_.numbers.at(&node);
    const plan::Choices& choices = context_.options.choices;
    const bool even = choices.copies_of(number) % 2 == 0 && choices.ahead_of(number) % 2 == 0;
    return loop.swap && even ? &*loop.swap : nullptr;
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
    out.push_back({.kernel = static_cast<std::uint32_t>(kernels_.size()), .arm = arm_});
    laid_.kernels.push_back({*out.back().kernel, nullptr, {}, {}, {}, loop, arm_});
    kernels_.push_back(std::move(emitted));
    plan::for_each_node(*loop->body, [&](const plan::Node& inner) {
      const auto* many = std::get_if<plan::SwitchNode>(&inner);
      if (many != nullptr) add_labels(*many, context_.numbers.at(&inner));
    });
    return true;
  }

  // Each arm with a head of its own. Where none can end the launch, all heads stand as they did,
  // and nothing needs to be done before and behind the arms.
  void add_fork(const plan::ForkNode& fork, const plan::Node& node, std::vector<Step>& out) {
    const std::uint32_t first = context_.first_arms.at(&fork);
    const bool may_end = context_.may_end || scope_.standing.follows_loop ||
                         plan::may_end_launch(context_.plan, fork);
    if (may_end) give_duty({Duty::Kind::EnterFork, first}, node, out);
    Step step{.node = &node, .side_by_side = true};
    const std::uint32_t outer = arm_;
    for (const plan::Block& arm : fork.arms) {
      move_to(first + static_cast<std::uint32_t>(step.blocks.size()));
      step.blocks.push_back(
          steps(arm, {.standing = {.follows_loop = scope_.standing.follows_loop}}));
    }
    move_to(outer);
    out.push_back(std::move(step));
    if (!may_end) return;
    out.push_back(kernel_step(nullptr, 0));
    EmittedKernel& join = kernels_[*out.back().kernel];
    join.name = "join_" + std::to_string(*out.back().kernel);
    if (!fork.region.empty()) join.region = fork.region;
    give_duty({Duty::Kind::JoinFork, first}, node, out);
  }

  void move_to(std::uint32_t arm) {
    arm_ = arm;
    layout_ = context_.layout.seen_from(arm);
  }

  // The arms, each under its guard: side by side, or in line where one of them does something
  // whatever its guard says, which another might mind.
  void add_arms(const plan::Node& node, std::vector<Step>& out) {
    const std::uint32_t number = context_.numbers.at(&node);
    Step step{.node = &node, .number = number, .side_by_side = true};
    for (const plan::Block* block : arms_of(node)) {
      const auto arm = static_cast<std::uint32_t>(step.blocks.size());
      step.blocks.push_back(steps(*block, {layout_.arm_guard(number, arm), {.guarded = true}}));
    }
    if (const auto* many = std::get_if<plan::SwitchNode>(&node)) add_labels(*many, number);
    const auto with_work = std::count_if(step.blocks.begin(), step.blocks.end(),
                                         [](const auto& block) { return !block.empty(); });
    if (with_work > 1 && std::all_of(step.blocks.begin(), step.blocks.end(), obeys_guards)) {
      return out.push_back(std::move(step));
    }
    for (auto& block : step.blocks) std::move(block.begin(), block.end(), std::back_inserter(out));
  }

  static bool obeys_guards(const std::vector<Step>& steps) {
    return std::all_of(steps.begin(), steps.end(), [](const Step& step) {
      return step.kernel || step.side_by_side || std::holds_alternative<plan::RunCall>(*step.node);
    });
  }

  void add_blocks(const plan::Node& node, Step& step, std::vector<Step>& out) {
    if (const auto* loop = std::get_if<plan::WhileNode>(&node)) {
      return add_trips(*loop, node, step, out);
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
  // guard is its own and, at the end of a copy, which is the next one's. Copies ahead of the node
  // are these kernels too: the last of them tells the node.
  void add_trips(const plan::WhileNode& loop, const plan::Node& node, Step& step,
                 std::vector<Step>& out) {
    const std::uint32_t number = context_.numbers.at(&node);
    const std::uint32_t copies = context_.options.choices.copies_of(number);
    const std::uint32_t ahead = context_.options.choices.ahead_of(number);
    const Scope scope{.standing = {.guarded = copies > 1 || ahead > 0}};
    const auto* const outer_swap = std::exchange(swap_, swap_of(loop, node));
    Trip trip{steps(*loop.body, scope), 0, context_.loop_numbers.at(&loop)};
    const Scope outer = std::exchange(scope_, scope);
    trip.deciding = give_duty({Duty::Kind::NextTrip, number}, node, trip.steps);
    scope_ = outer;
    lay_copies(trip, ahead, true, out);
    lay_copies(trip, copies, false, step.blocks.emplace_back());
    swap_ = outer_swap;
  }

  /// Steps of a trip, which of them decides about the next one, and the number of their loop.
  struct Trip {
    std::vector<Step> steps;
    std::size_t deciding;
    std::uint32_t loop;
  };

  void lay_copies(const Trip& trip, std::uint32_t copies, bool first_may_be_off,
                  std::vector<Step>& out) const {
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
      const std::size_t first = out.size();
      for (const Step& step : trip.steps) {
        Step& placed = out.emplace_back(step);
        const bool is_own = placed.guard == 0 && (copy != 0 || first_may_be_off);
        if (copy % 2 != 0) swap_buffers(placed);
        if (is_own) placed.guard = layout_.copy_guard(trip.loop, copy);
      }
      if (copy + 1 < copies) {
        out[first + trip.deciding].next_guard = layout_.copy_guard(trip.loop, copy + 1);
      }
    }
  }

  void swap_buffers(Step& step) const {
    step.swapped = swap_;
    for (auto& block : step.blocks) {
      for (Step& inner : block) swap_buffers(inner);
    }
  }

  // One thread of the line's last kernel decides, if that kernel cannot fault beside it; else a
  // kernel of its own does. Returns the step's place in the line.
  std::size_t give_duty(const Duty& duty, const plan::Node& node, std::vector<Step>& line) {
    std::size_t place = last_kernel(line, node);
    if (place == line.size()) line.push_back(kernel_step(nullptr, 0));
    LaidKernel& kernel = laid_.kernels[*line[place].kernel];
    kernel.nodes.push_back(&node);
    kernel.duties.push_back(duty);
    return place;
  }

  // The last kernel, whatever stands behind it that does not write what decides; the line's size
  // if it cannot have the duty.
  std::size_t last_kernel(const std::vector<Step>& line, const plan::Node& node) const {
    for (std::size_t place = line.size(); place-- > 0;) {
      const Step& step = line[place];
      if (!step.kernel) {
        if (may_follow_decision(*step.node, node)) continue;
        break;
      }
      const LaidKernel& laid = laid_.kernels[*step.kernel];
      const bool may_fault_beside =
          laid.kernel != nullptr && laid.kernel->sweep && context_.may_end;
      const bool fits = step.guard == scope_.guard && laid.resident == nullptr && !may_fault_beside;
      return fits ? place : line.size();
    }
    return line.size();
  }

  static bool may_follow_decision(const plan::Node& step, const plan::Node& decided) {
    const auto* call = std::get_if<plan::RunCall>(&step);
    if (call == nullptr) {
      return std::holds_alternative<plan::Clear>(step) ||
             std::holds_alternative<plan::CopyBuffer>(step);
    }
    const auto touches = [&](ir::SymbolId slot) {
      return std::find(call->arguments.begin(), call->arguments.end(), slot) !=
             call->arguments.end();
    };
    if (call->callee->placement == ir::Placement::Host) return false;
    if (std::holds_alternative<plan::ForkNode>(decided)) return true;
    if (const auto* loop = std::get_if<plan::WhileNode>(&decided)) {
      return !touches(loop->predicate) && !(loop->limit && touches(*loop->limit));
    }
    const auto* choice = std::get_if<plan::IfNode>(&decided);
    return !touches(choice != nullptr ? choice->predicate
                                      : std::get<plan::SwitchNode>(decided).selector);
  }

  Step kernel_step(const plan::Kernel* kernel, std::uint32_t kernel_number) {
    return {.kernel = add_kernel(kernel, kernel_number), .guard = scope_.guard, .arm = arm_};
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
    laid_.kernels.push_back({number, kernel, {}, {}, scope_.standing, nullptr, arm_});
    return number;
  }

  void add_labels(const plan::SwitchNode& node, std::uint32_t number) {
    const std::string table = emit_labels(node, number);
    if (laid_.labels.empty() && !table.empty()) laid_.labels = "\n";
    laid_.labels += table;
  }

  const ModuleContext& context_;
  std::vector<EmittedKernel>& kernels_;
  LaidSteps laid_;
  /// Of the block that is being made.
  Scope scope_;
  /// The arm that it belongs to, and where things lie as its kernels see them.
  std::uint32_t arm_ = 0;
  StateLayout layout_;
  /// How many have been laid so far.
  std::size_t loops_ = 0;
  /// Of the loop whose body is being made, where its buffers take turns.
  const plan::WhileNode::Swap* swap_ = nullptr;
};

}  // namespace

LaidSteps lay_steps(const ModuleContext& context, std::vector<EmittedKernel>& kernels) {
  return LaySteps(context, kernels).run();
}

}  // namespace gyre::jit
