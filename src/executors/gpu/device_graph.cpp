#include "calls.hpp"
#include "device_program.hpp"
#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/graph.hpp"
#include "gyre/cuda/graph_exec.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace gyre::executors {
namespace {

/// The handles of branches that a driver without SWITCH nodes runs as one IF an arm. Kernels find
/// them in a table on the device.
class ArmHandles {
 public:
  ArmHandles(const jit::EmittedModule& module, bool split) : split_(split) {
    if (!split) return;
    first_.resize(module.conditional_count);
    std::size_t count = 0;
    count_arms(module.steps, count);
    handles_.resize(count);
    table_ = cuda::DeviceMemory(count * sizeof(cuda::ConditionalHandle));
  }

  bool splits(const jit::Step& step) const {
    return split_ && !std::holds_alternative<plan::WhileNode>(*step.node) &&
           jit::branch_form(*step.node) == jit::BranchForm::Arms;
  }

  /// Keeps the handles of a branch; returns where its kernel finds them.
  CUdeviceptr put(const jit::Step& step, const std::vector<cuda::ConditionalHandle>& handles) {
    std::copy(handles.begin(), handles.end(), handles_.begin() + first_[step.number]);
    return table_.address() +
           static_cast<std::size_t>(first_[step.number]) * sizeof(cuda::ConditionalHandle);
  }
  const cuda::ConditionalHandle* handles(const jit::Step& step) const {
    return handles_.data() + first_[step.number];
  }

  void copy_to_table(cuda::StreamView stream) const {
    if (handles_.empty()) return;
    cuda::copy_to_device(table_, handles_.data(), table_.bytes(), stream);
    stream.synchronize();
  }

 private:
  void count_arms(const std::vector<jit::Step>& steps, std::size_t& count) {
    for (const jit::Step& step : steps) {
      if (step.blocks.empty()) continue;
      if (splits(step)) {
        first_[step.number] = static_cast<std::ptrdiff_t>(count);
        count += step.blocks.size();
      }
      for (const auto& block : step.blocks) count_arms(block, count);
    }
  }

  bool split_;
  std::vector<std::ptrdiff_t> first_;
  std::vector<cuda::ConditionalHandle> handles_;
  cuda::DeviceMemory table_;
};

/// Builds the graph of a bound program.
class BuildGraph {
 public:
  BuildGraph(const DeviceProgram& program, cuda::StreamView recording, ArmHandles& arms)
      : program_(program),
        recording_(recording),
        arms_(arms),
        graph_(program.plan().name),
        decisions_(program.module().conditional_count) {}

  cuda::Graph run() {
    std::vector<cuda::Dependency> last;
    add_kernel(graph_.view(), "begin", program_.prepare_begin(), last);
    add_steps(graph_.view(), program_.module().steps, last);
    add_kernel(graph_.view(), "end", program_.prepare_end(), last);
    return std::move(graph_);
  }

 private:
  // A handle belongs to the graph that holds its node, and must be there before any kernel that
  // sets it.
  void make_handles(const cuda::GraphView& graph, const std::vector<jit::Step>& steps) {
    for (const jit::Step& step : steps) {
      if (step.blocks.empty() || form_of(step) == jit::BranchForm::None) continue;
      if (!arms_.splits(step)) {
        decisions_.at(step.number) = graph.make_handle(0);
        continue;
      }
      std::vector<cuda::ConditionalHandle> handles;
      // A handle without a node is refused: an arm without work has none.
      for (const auto& block : step.blocks) {
        handles.push_back(block.empty() ? 0 : graph.make_handle(0));
      }
      decisions_.at(step.number) = arms_.put(step, handles);
    }
  }

  static jit::BranchForm form_of(const jit::Step& step) {
    return std::holds_alternative<plan::WhileNode>(*step.node) ? jit::BranchForm::If
                                                               : jit::branch_form(*step.node);
  }

  void add_steps(const cuda::GraphView& graph, const std::vector<jit::Step>& steps,
                 std::vector<cuda::Dependency>& last) {
    make_handles(graph, steps);
    for (const jit::Step& step : steps) {
      if (step.kernel) {
        const auto& emitted = program_.module().kernels[*step.kernel];
        add_kernel(graph, emitted.region + " kernel " + emitted.name,
                   program_.prepare(*step.kernel, decisions_), last);
      } else if (const auto* clear = std::get_if<plan::Clear>(step.node)) {
        const auto memory = program_.memory_of(clear->buffer);
        if (memory.bytes == 0) continue;
        last = {{graph.add_clear("clear " + program_.plan()[clear->buffer].name, memory, last)}};
      } else if (const auto* copy = std::get_if<plan::CopyBuffer>(step.node)) {
        const auto to = program_.memory_of(copy->to);
        if (to.bytes == 0) continue;
        last = {{graph.add_copy(copy->region, to.address, program_.memory_of(copy->from).address,
                                to.bytes, last)}};
      } else if (const auto* call = std::get_if<plan::RunCall>(step.node)) {
        last = record_call(program_, *call, graph, last, recording_);
      } else if (form_of(step) != jit::BranchForm::None) {
        add_branch(graph, step, last);
      }
    }
  }

  void add_branch(const cuda::GraphView& graph, const jit::Step& step,
                  std::vector<cuda::Dependency>& last) {
    const std::string region = region_of(*step.node);
    if (arms_.splits(step)) {
      // One IF an arm, one behind the other; all handles were set before the first ran.
      for (std::size_t i = 0; i < step.blocks.size(); ++i) {
        if (step.blocks[i].empty()) continue;
        const auto made = graph.add_conditional(region, cuda::ConditionalKind::If,
                                                arms_.handles(step)[i], 1, last);
        add_body(made.bodies[0], step.blocks[i]);
        last = {{made.node}};
      }
      return;
    }
    const bool is_loop = std::holds_alternative<plan::WhileNode>(*step.node);
    const auto kind = is_loop                                ? cuda::ConditionalKind::While
                      : form_of(step) == jit::BranchForm::If ? cuda::ConditionalKind::If
                                                             : cuda::ConditionalKind::Switch;
    const auto bodies =
        kind == cuda::ConditionalKind::Switch ? static_cast<unsigned>(step.blocks.size()) : 1U;
    const auto made = graph.add_conditional(region, kind, decisions_.at(step.number), bodies, last);
    for (unsigned i = 0; i < bodies; ++i) add_body(made.bodies[i], step.blocks[i]);
    last = {{made.node}};
  }

  void add_body(const cuda::GraphView& body, const std::vector<jit::Step>& steps) {
    std::vector<cuda::Dependency> last;
    add_steps(body, steps, last);
    // An empty body hangs older drivers.
    if (last.empty()) body.add_empty({});
  }

  static std::string region_of(const plan::Node& node) {
    if (const auto* loop = std::get_if<plan::WhileNode>(&node)) return loop->region;
    if (const auto* choice = std::get_if<plan::IfNode>(&node)) return choice->region;
    return std::get<plan::SwitchNode>(node).region;
  }

  static void add_kernel(const cuda::GraphView& graph, const std::string& name,
                         const DeviceProgram::Prepared& kernel,
                         std::vector<cuda::Dependency>& last) {
    last = {{graph.add_kernel(name, {kernel.function, kernel.shape, kernel.arguments}, last)}};
  }

  const DeviceProgram& program_;
  cuda::StreamView recording_;
  ArmHandles& arms_;
  cuda::Graph graph_;
  std::vector<std::uint64_t> decisions_;
};

class DeviceGraph final : public Executor {
 public:
  DeviceGraph(std::shared_ptr<const plan::Plan> plan, const DeviceGraphOptions& options)
      : plan_(std::move(plan)),
        split_(!options.switch_nodes || !cuda::read_device_facts().has_switch()) {}

  std::string_view name() const override { return "device_graph"; }

  void prepare(const ir::Bound& bound, const ir::RunOptions& options) override {
    const cuda::CurrentContext current(device_context());
    const Form& form = bound_form(bound, options);
    form.exec->upload(form.stream);
    form.stream.synchronize();
  }

  ir::Outcome run(const ir::Bound& bound, const ir::RunOptions& options) override {
    const cuda::CurrentContext current(device_context());
    Form& form = bound_form(bound, options);
    const std::unique_lock<std::mutex> turn = take_turn();
    const std::uint64_t launch = form.program.request(bound, options);
    form.program.copy_in(form.stream);
    form.exec->launch(form.stream);
    wait(form, launch, options);
    ir::Outcome outcome = form.program.read_result();
    form.program.copy_out(form.stream);
    form.stream.synchronize();
    return outcome;
  }

 private:
  /// The plan compiled with or without checks, and its graph.
  struct Form {
    Form(const std::shared_ptr<const plan::Plan>& plan, bool checked, bool split)
        : program(plan, {checked,
                         split ? jit::Decisions::IfNodesOnly : jit::Decisions::ConditionalNodes}),
          arms(program.module(), split) {}

    DeviceProgram program;
    ArmHandles arms;
    cuda::Stream stream;
    cuda::Stream recording;
    std::optional<cuda::GraphExec> exec;
  };

  Form& bound_form(const ir::Bound& bound, const ir::RunOptions& options) {
    Form& form = form_for(options.checked);
    if (form.program.bind(bound) || !form.exec) build(form);
    return form;
  }

  Form& form_for(bool checked) {
    std::unique_ptr<Form>& form = forms_[checked ? 1 : 0];
    if (!form) form = std::make_unique<Form>(plan_, checked, split_);
    return *form;
  }

  void build(Form& form) {
    const cuda::Graph graph = BuildGraph(form.program, form.recording, form.arms).run();
    form.arms.copy_to_table(form.stream);
    if (form.exec) {
      const cuda::GraphUpdate update = form.exec->update(graph);
      if (update.done) return;
      log::debug("the graph of " + plan_->name + " is built anew: " + update.reason);
    }
    form.exec.emplace(graph);
  }

  // Graphs with WHILE nodes run one after the other in this process. Two that ran at once, from two
  // threads, ended now and then with CUDA_ERROR_LAUNCH_FAILED (H200, driver 580, CUDA 13.0), also
  // where the launches themselves were serialised; graphs with IF nodes alone never did.
  std::unique_lock<std::mutex> take_turn() const {
    static std::mutex one_loop_at_a_time;
    bool has_loop = false;
    plan::for_each_node(plan_->body, [&](const plan::Node& node) {
      has_loop = has_loop || std::holds_alternative<plan::WhileNode>(node);
    });
    return has_loop ? std::unique_lock(one_loop_at_a_time) : std::unique_lock<std::mutex>();
  }

  // The host watches the word that the last kernel writes; it asks nothing of the device.
  static void wait(const Form& form, std::uint64_t launch, const ir::RunOptions& options) {
    bool cancelled = false;
    for (unsigned spins = 0; !form.program.has_result(launch); ++spins) {
      if (!cancelled && options.cancel != nullptr && options.cancel->load()) {
        form.program.cancel(launch);
        cancelled = true;
      }
      // A failed kernel never writes its word: ask the stream now and then.
      if (spins % 4096 == 4095 && form.stream.view().is_done() &&
          !form.program.has_result(launch)) {
        form.stream.synchronize();
        GYRE_CHECK(form.program.has_result(launch), "a launch ended without a result");
      }
      if (spins > 4096) std::this_thread::yield();
    }
  }

  std::shared_ptr<const plan::Plan> plan_;
  bool split_;
  std::unique_ptr<Form> forms_[2];
};

}  // namespace

std::string why_no_device_graph() {
  if (std::string reason = why_no_host_branch(); !reason.empty()) return reason;
  if (!cuda::read_device_facts().has_conditional_nodes()) {
    return "conditional nodes need a driver of CUDA 12.4 or later";
  }
  return {};
}

std::unique_ptr<Executor> make_device_graph_executor(std::shared_ptr<const plan::Plan> plan,
                                                     const DeviceGraphOptions& options) {
  if (const std::string reason = why_no_device_graph(); !reason.empty()) {
    throw EnvironmentError("device_graph cannot run here: " + reason);
  }
  return std::make_unique<DeviceGraph>(std::move(plan), options);
}

}  // namespace gyre::executors
