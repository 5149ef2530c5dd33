#include "graph_builder.hpp"

#include "calls.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/device_facts.hpp"

#include <algorithm>
#include <utility>

namespace gyre::executors {
namespace {

/// A WHILE node whose body is a chain of fewer nodes ends now and then with
/// CUDA_ERROR_LAUNCH_FAILED when another graph's loop runs beside it (docs/decisions/0007).
constexpr std::size_t least_loop_nodes = 3;

bool is_loop(const jit::Step& step) {
  return std::holds_alternative<plan::WhileNode>(*step.node);
}

jit::BranchForm form_of(const jit::Step& step) {
  if (step.ends) return jit::BranchForm::Arms;
  return is_loop(step) ? jit::BranchForm::If : jit::branch_form(*step.node);
}

bool is_branch(const jit::Step& step) {
  return !step.kernel && !step.blocks.empty() && !step.side_by_side &&
         form_of(step) != jit::BranchForm::None;
}

const std::string& region_of(const plan::Node& node) {
  if (const auto* loop = std::get_if<plan::WhileNode>(&node)) return loop->region;
  if (const auto* choice = std::get_if<plan::IfNode>(&node)) return choice->region;
  return std::get<plan::SwitchNode>(node).region;
}

void count_split_arms(const std::vector<jit::Step>& steps, std::vector<std::size_t>& first,
                      std::size_t& count) {
  for (const jit::Step& step : steps) {
    if (is_branch(step) && !is_loop(step) && form_of(step) == jit::BranchForm::Arms) {
      first.at(step.number) = count;
      count += step.blocks.size();
    }
    for (const auto& block : step.blocks) count_split_arms(block, first, count);
  }
}

}  // namespace

GraphBuilder::GraphBuilder(const DeviceProgram& program, cuda::StreamView recording,
                           std::vector<std::uint64_t> host_words)
    : program_(program),
      recording_(recording),
      may_start_early_(cuda::read_device_facts().sm >= 90) {
  built_.decisions = std::move(host_words);
  const jit::EmittedModule& module = program.module().emitted();
  if (module.decisions != jit::Decisions::IfNodesOnly) return;
  std::size_t count = 0;
  first_arm_.resize(module.conditional_count);
  count_split_arms(module.steps, first_arm_, count);
  arm_handles_.resize(count);
  built_.arm_handles = cuda::DeviceMemory(count * sizeof(cuda::ConditionalHandle));
}

BuiltNodes GraphBuilder::finish() {
  if (!arm_handles_.empty()) {
    cuda::copy_to_device(built_.arm_handles, arm_handles_.data(), built_.arm_handles.bytes(),
                         recording_);
    recording_.synchronize();
  }
  return std::move(built_);
}

bool GraphBuilder::splits_arms(const jit::Step& step) const {
  return !first_arm_.empty() && !is_loop(step) && form_of(step) == jit::BranchForm::Arms;
}

// A handle belongs to the graph that holds its node, and must be there before any kernel that sets
// it.
void GraphBuilder::make_handles(const cuda::GraphView& graph, std::span<const jit::Step> steps) {
  for (const jit::Step& step : steps) {
    // Arms of a fork stand in the graph that holds it.
    if (step.side_by_side) {
      for (const auto& block : step.blocks) make_handles(graph, block);
    }
    if (!is_branch(step)) continue;
    if (!splits_arms(step)) {
      built_.decisions.at(step.number) = graph.make_handle(0);
      continue;
    }
    const std::size_t first = first_arm_[step.number];
    for (std::size_t i = 0; i < step.blocks.size(); ++i) {
      // A handle without a node is refused: an arm without work has none.
      arm_handles_[first + i] = step.blocks[i].empty() ? 0 : graph.make_handle(0);
    }
    built_.decisions.at(step.number) =
        built_.arm_handles.address() + first * sizeof(cuda::ConditionalHandle);
  }
}

std::vector<cuda::Dependency> GraphBuilder::add(const cuda::GraphView& graph,
                                                std::span<const jit::Step> steps,
                                                std::vector<cuda::Dependency> after) {
  make_handles(graph, steps);
  for (const jit::Step& step : steps) add_step(graph, step, after);
  return after;
}

// Every `add_…` returns how many nodes longer the chain has become.
std::size_t GraphBuilder::add_step(const cuda::GraphView& graph, const jit::Step& step,
                                   Last& last) {
  if (step.kernel) return add_kernel(graph, step, last);
  if (const auto* clear = std::get_if<plan::Clear>(step.node))
    return add_clear(graph, *clear, last);
  if (const auto* copy = std::get_if<plan::CopyBuffer>(step.node)) {
    return add_copy(graph, *copy, last);
  }
  if (std::holds_alternative<plan::RunCall>(*step.node)) {
    return add_call(graph, step, last);
  }
  if (step.side_by_side) return add_side_by_side(graph, step, last);
  if (!is_branch(step)) return 0;
  return splits_arms(step) ? add_arms(graph, step, last) : add_branch(graph, step, last);
}

std::size_t GraphBuilder::add_kernel(const cuda::GraphView& graph, const jit::Step& step,
                                     Last& last) {
  const jit::EmittedKernel& emitted = program_.module().emitted().kernels[*step.kernel];
  auto prepared = program_.prepare(step, built_.decisions);
  const CUgraphNode node = graph.add_kernel(emitted.region + " kernel " + emitted.name,
                                            {prepared.function, prepared.shape, prepared.arguments},
                                            before_kernel(emitted, last));
  // Nothing starts early behind a loop that is one kernel: it would wait for all of it.
  last_kernel_ = emitted.follows ? node : nullptr;
  built_.kernels.push_back({node, &step, std::move(prepared)});
  last = {{node}};
  return 1;
}

// A kernel lets the next one start when all of its own blocks are at work: those that wait take the
// place of none.
GraphBuilder::Last GraphBuilder::before_kernel(const jit::EmittedKernel& kernel,
                                               const Last& last) const {
  const bool is_behind_kernel = last.size() == 1 && last.front().node == last_kernel_;
  const bool starts_early = may_start_early_ && kernel.follows && is_behind_kernel;
  return starts_early ? Last{{last_kernel_, true}} : last;
}

std::size_t GraphBuilder::add_call(const cuda::GraphView& graph, const jit::Step& step,
                                   Last& last) {
  built_.has_calls = true;
  const RecordedCall call = record_call(program_, step, graph, last, recording_);
  last_kernel_ = call.is_kernel ? call.node : nullptr;
  last = {{call.node}};
  return 1;
}

std::size_t GraphBuilder::add_side_by_side(const cuda::GraphView& graph, const jit::Step& step,
                                           Last& last) {
  const Last before = last;
  const CUgraphNode kernel_before = last_kernel_;
  const bool in_line = std::any_of(step.blocks.begin(), step.blocks.end(),
                                   [&](const auto& arm) { return takes_the_device(arm); });
  std::size_t longest = 0;
  std::size_t in_all = 0;
  Last ends;
  for (const auto& arm : step.blocks) {
    if (arm.empty()) continue;
    if (!in_line) {
      last_kernel_ = kernel_before;
      last = before;
    }
    std::size_t length = 0;
    for (const jit::Step& one : arm) length += add_step(graph, one, last);
    if (!in_line) add_ends(last, ends);
    longest = std::max(longest, length);
    in_all += length;
  }
  if (in_line) return in_all;
  last = std::move(ends);
  return longest;
}

// A loop that is one grid waits for all of its blocks to be at work: two of them never wait for
// each other's places.
bool GraphBuilder::takes_the_device(const std::vector<jit::Step>& steps) const {
  return std::any_of(steps.begin(), steps.end(), [&](const jit::Step& step) {
    const auto* kernel = step.kernel ? &program_.module().emitted().kernels[*step.kernel] : nullptr;
    const bool is_grid =
        kernel != nullptr && kernel->resident && kernel->resident->crew == jit::Crew::Grid;
    return is_grid || std::any_of(step.blocks.begin(), step.blocks.end(),
                                  [&](const auto& block) { return takes_the_device(block); });
  });
}

// No node is waited for twice: arms without nodes end where they begin.
void GraphBuilder::add_ends(const Last& of_arm, Last& ends) {
  for (const cuda::Dependency& end : of_arm) {
    const bool is_there = std::any_of(ends.begin(), ends.end(), [&](const cuda::Dependency& one) {
      return one.node == end.node;
    });
    if (!is_there) ends.push_back(end);
  }
}

std::size_t GraphBuilder::leave_gap() {
  built_.has_gaps = true;
  return 0;
}

std::size_t GraphBuilder::add_clear(const cuda::GraphView& graph, const plan::Clear& clear,
                                    Last& last) {
  const auto memory = program_.memory_of(clear.buffer);
  if (memory.bytes == 0) return leave_gap();
  const CUgraphNode node =
      graph.add_clear("clear " + program_.plan()[clear.buffer].name, memory, last);
  built_.clears.push_back({node, clear.buffer, memory});
  last = {{node}};
  return 1;
}

std::size_t GraphBuilder::add_copy(const cuda::GraphView& graph, const plan::CopyBuffer& copy,
                                   Last& last) {
  const auto to = program_.memory_of(copy.to);
  const auto from = program_.memory_of(copy.from);
  if (to.bytes == 0) return leave_gap();
  const CUgraphNode node = graph.add_copy(copy.region, to.address, from.address, to.bytes, last);
  built_.copies.push_back({node, copy.to, copy.from, to, from});
  last = {{node}};
  return 1;
}

// One IF an arm, one behind the other; all handles were set before the first ran.
std::size_t GraphBuilder::add_arms(const cuda::GraphView& graph, const jit::Step& step,
                                   Last& last) {
  std::size_t added = 0;
  for (std::size_t i = 0; i < step.blocks.size(); ++i) {
    if (step.blocks[i].empty()) continue;
    const auto handle = arm_handles_[first_arm_[step.number] + i];
    const auto made =
        graph.add_conditional(region_of(*step.node), cuda::ConditionalKind::If, handle, 1, last);
    add_body(made.bodies[0], step, i, 1);
    last = {{made.node}};
    ++added;
  }
  return added;
}

std::size_t GraphBuilder::add_branch(const cuda::GraphView& graph, const jit::Step& step,
                                     Last& last) {
  const bool loops = is_loop(step);
  const auto kind = loops                                  ? cuda::ConditionalKind::While
                    : form_of(step) == jit::BranchForm::If ? cuda::ConditionalKind::If
                                                           : cuda::ConditionalKind::Switch;
  const auto bodies =
      kind == cuda::ConditionalKind::Switch ? static_cast<unsigned>(step.blocks.size()) : 1U;
  const auto made = graph.add_conditional(region_of(*step.node), kind,
                                          built_.decisions.at(step.number), bodies, last);
  for (unsigned i = 0; i < bodies; ++i) {
    add_body(made.bodies[i], step, i, loops ? least_loop_nodes : 1);
  }
  last = {{made.node}};
  return 1;
}

void GraphBuilder::add_body(const cuda::GraphView& body, const jit::Step& step, std::size_t block,
                            std::size_t least) {
  const std::vector<jit::Step>& steps = step.blocks[block];
  Last last;
  make_handles(body, steps);
  std::size_t length = 0;
  for (const jit::Step& one : steps) length += add_step(body, one, last);
  // An empty body hangs drivers before 12.8; a clear of a word that nobody reads is the cheapest
  // node that counts in a loop.
  if (length == 0 && least == 1) {
    body.add_empty({});
    return;
  }
  for (; length < least; ++length) {
    last = {{body.add_clear("a loop's rest", program_.scratch(), last)}};
  }
}

}  // namespace gyre::executors
