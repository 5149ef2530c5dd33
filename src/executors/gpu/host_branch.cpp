#include "calls.hpp"
#include "device_program.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/graph_exec.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/jit/nvrtc.hpp"

#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gyre::executors {
namespace {

/// No decision has this value.
constexpr std::uint32_t undecided = 0xffffffffu;

/// The words through which decisions reach the host, one for each branch of the plan.
class Flags {
 public:
  Flags(HostBranchOptions::Flag flag, std::uint32_t count) : flag_(flag) {
    const std::size_t bytes = (count + 1) * sizeof(std::uint32_t);
    if (flag == HostBranchOptions::Flag::Polled) {
      pinned_ = cuda::PinnedMemory(bytes, cuda::PinnedMemory::Access::Mapped);
    } else {
      device_ = cuda::DeviceMemory(bytes);
      pinned_ = cuda::PinnedMemory(bytes);
    }
    for (std::uint32_t i = 0; i < count; ++i) *word(i) = undecided;
  }

  /// Where a kernel stores the decision of branch `number`.
  CUdeviceptr address(std::uint32_t number) const {
    return (flag_ == HostBranchOptions::Flag::Polled ? pinned_.device_address()
                                                     : device_.address()) +
           number * sizeof(std::uint32_t);
  }

  /// Waits for the decision.
  std::uint32_t read(std::uint32_t number, cuda::StreamView stream) const {
    const cuda::DeviceView place{address(number), sizeof(std::uint32_t)};
    std::uint32_t value = undecided;
    switch (flag_) {
      case HostBranchOptions::Flag::Pageable:
        cuda::copy_to_host(&value, place, sizeof(value), stream);
        stream.synchronize();
        return value;
      case HostBranchOptions::Flag::Pinned:
        cuda::copy_to_host(const_cast<std::uint32_t*>(word(number)), place, sizeof(value), stream);
        stream.synchronize();
        return *word(number);
      case HostBranchOptions::Flag::Polled: break;
    }
    for (unsigned spins = 0; (value = *word(number)) == undecided; ++spins) {
      // A failed kernel never decides: ask the stream now and then.
      if (spins % 65536 == 65535 && stream.is_done() && *word(number) == undecided) {
        stream.synchronize();
        GYRE_CHECK(*word(number) != undecided, "a branch was left undecided");
      }
    }
    *word(number) = undecided;
    return value;
  }

 private:
  volatile std::uint32_t* word(std::uint32_t number) const {
    return static_cast<std::uint32_t*>(pinned_.data()) + number;
  }

  HostBranchOptions::Flag flag_;
  cuda::DeviceMemory device_;
  cuda::PinnedMemory pinned_;
};

class HostBranch final : public Executor {
 public:
  HostBranch(std::shared_ptr<const plan::Plan> plan, const HostBranchOptions& options)
      : plan_(std::move(plan)), options_(options) {}

  std::string_view name() const override { return "host_branch"; }

  void prepare(const ir::Bound& bound, const ir::RunOptions& options) override {
    const cuda::CurrentContext current(device_context());
    bound_form(bound, options);
  }

  ir::Outcome run(const ir::Bound& bound, const ir::RunOptions& options) override {
    const cuda::CurrentContext current(device_context());
    Form& form = bound_form(bound, options);
    const std::uint64_t launch = form.program.request(bound, options);
    cancel_ = options.cancel;
    launch_ = launch;
    cancelled_ = false;
    syncs_ = 0;
    form.program.copy_in(form.stream);
    launch_kernel(form.begin, form);
    run_steps(form.program.module().steps, form);
    launch_kernel(form.end, form);
    form.stream.synchronize();
    ir::Outcome outcome = form.program.read_result();
    outcome.host_syncs = syncs_;
    form.program.copy_out(form.stream);
    form.stream.synchronize();
    return outcome;
  }

 private:
  struct Form {
    Form(const std::shared_ptr<const plan::Plan>& plan, bool checked, HostBranchOptions::Flag flag)
        : program(plan, {checked, jit::Decisions::Host}),
          flags(flag, program.module().conditional_count) {}

    // What every launch passes stays the same from trip to trip.
    void prepare() {
      std::vector<std::uint64_t> decisions(program.module().conditional_count);
      for (std::uint32_t i = 0; i < decisions.size(); ++i) decisions[i] = flags.address(i);
      kernels.clear();
      segments.clear();
      for (std::uint32_t i = 0; i < program.module().kernels.size(); ++i) {
        kernels.push_back(program.prepare(i, decisions));
      }
      begin = program.prepare_begin();
      end = program.prepare_end();
    }

    DeviceProgram program;
    Flags flags;
    cuda::Stream stream;
    std::vector<DeviceProgram::Prepared> kernels;
    DeviceProgram::Prepared begin;
    DeviceProgram::Prepared end;
    /// The straight line that starts at a step, as a graph.
    std::map<const jit::Step*, cuda::GraphExec> segments;
  };

  Form& bound_form(const ir::Bound& bound, const ir::RunOptions& options) {
    Form& form = form_for(options.checked);
    if (form.program.bind(bound) || form.kernels.empty()) form.prepare();
    return form;
  }

  Form& form_for(bool checked) {
    std::unique_ptr<Form>& form = forms_[checked ? 1 : 0];
    if (!form) form = std::make_unique<Form>(plan_, checked, options_.flag);
    return *form;
  }

  static void launch_kernel(const DeviceProgram::Prepared& kernel, const Form& form) {
    kernel.function.launch(kernel.shape, kernel.arguments, form.stream);
  }

  static bool is_straight(const jit::Step& step) {
    return step.kernel || std::holds_alternative<plan::Clear>(*step.node) ||
           std::holds_alternative<plan::CopyBuffer>(*step.node);
  }

  void run_steps(const std::vector<jit::Step>& steps, Form& form) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::size_t end = i;
      while (end < steps.size() && is_straight(steps[end])) ++end;
      if (options_.segment_graphs && end - i > 1) {
        run_segment(steps, i, end, form);
        i = end - 1;
      } else {
        run_step(steps[i], form);
      }
    }
  }

  static void run_segment(const std::vector<jit::Step>& steps, std::size_t begin, std::size_t end,
                          Form& form) {
    auto found = form.segments.find(&steps[begin]);
    if (found == form.segments.end()) {
      const cuda::Graph graph(form.program.plan().name + " segment");
      std::vector<cuda::Dependency> last;
      for (std::size_t i = begin; i < end; ++i) add_straight(steps[i], graph.view(), last, form);
      found = form.segments.emplace(&steps[begin], cuda::GraphExec(graph)).first;
    }
    found->second.launch(form.stream);
  }

  static void add_straight(const jit::Step& step, const cuda::GraphView& graph,
                           std::vector<cuda::Dependency>& last, const Form& form) {
    if (step.kernel) {
      const auto& kernel = form.kernels[*step.kernel];
      last = {{graph.add_kernel(form.program.module().kernels[*step.kernel].name,
                                {kernel.function, kernel.shape, kernel.arguments}, last)}};
    } else if (const auto* clear = std::get_if<plan::Clear>(step.node)) {
      const auto memory = form.program.memory_of(clear->buffer);
      if (memory.bytes != 0) last = {{graph.add_clear("clear", memory, last)}};
    } else {
      const auto& copy = std::get<plan::CopyBuffer>(*step.node);
      const auto to = form.program.memory_of(copy.to);
      if (to.bytes == 0) return;
      last = {{graph.add_copy(copy.region, to.address, form.program.memory_of(copy.from).address,
                              to.bytes, last)}};
    }
  }

  void run_step(const jit::Step& step, Form& form) {
    if (step.kernel) return launch_kernel(form.kernels[*step.kernel], form);
    if (const auto* clear = std::get_if<plan::Clear>(step.node)) {
      const auto memory = form.program.memory_of(clear->buffer);
      if (memory.bytes != 0) cuda::clear(memory, form.stream);
    } else if (const auto* copy = std::get_if<plan::CopyBuffer>(step.node)) {
      const auto to = form.program.memory_of(copy->to);
      if (to.bytes != 0) {
        cuda::copy_on_device(to, form.program.memory_of(copy->from), to.bytes, form.stream);
      }
    } else if (const auto* call = std::get_if<plan::RunCall>(step.node)) {
      run_call(form.program, *call, form.stream);
    } else if (std::holds_alternative<plan::WhileNode>(*step.node)) {
      while (decision(step, form) == 1) run_steps(step.blocks[0], form);
    } else if (jit::branch_form(*step.node) != jit::BranchForm::None) {
      const std::uint32_t arm = decision(step, form);
      if (arm < step.blocks.size()) run_steps(step.blocks[arm], form);
    }
  }

  std::uint32_t decision(const jit::Step& step, const Form& form) {
    if (!cancelled_ && cancel_ != nullptr && cancel_->load()) {
      form.program.cancel(launch_);
      cancelled_ = true;
    }
    ++syncs_;
    return form.flags.read(step.number, form.stream);
  }

  std::shared_ptr<const plan::Plan> plan_;
  HostBranchOptions options_;
  std::unique_ptr<Form> forms_[2];
  const std::atomic<bool>* cancel_ = nullptr;
  std::uint64_t launch_ = 0;
  bool cancelled_ = false;
  std::uint64_t syncs_ = 0;
};

}  // namespace

std::string why_no_host_branch() {
  if (cuda::driver() == nullptr) return cuda::why_no_driver();
  if (cuda::device_count() == 0) return "the driver sees no GPU";
  return jit::why_no_nvrtc();
}

std::unique_ptr<Executor> make_host_branch_executor(std::shared_ptr<const plan::Plan> plan,
                                                    const HostBranchOptions& options) {
  if (const std::string reason = why_no_host_branch(); !reason.empty()) {
    throw EnvironmentError("host_branch cannot run here: " + reason);
  }
  return std::make_unique<HostBranch>(std::move(plan), options);
}

}  // namespace gyre::executors
