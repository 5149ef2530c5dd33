#include "gpu_executor.hpp"

#include "attended_run.hpp"
#include "device_input.hpp"
#include "flight.hpp"
#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "gyre/cuda/capture.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/plan/find_cost_table.hpp"
#include "gyre/plan/host_decisions.hpp"
#include "gyre/plan/residence.hpp"
#include "read_outcome.hpp"
#include "read_trace.hpp"

#include <algorithm>
#include <utility>

namespace gyre::executors {
namespace {

cuda::StreamView stream_of(const ir::RunOptions& options, cuda::StreamView own) {
  return options.stream == nullptr ? own : cuda::StreamView(static_cast<CUstream>(options.stream));
}

void order_behind(const ir::RunOptions& options, const Form& form, cuda::StreamView stream) {
  form.program().before_run(stream);
  for (const auto& work : options.ordered) work->before_run(stream.get());
}

void order_ahead(const ir::RunOptions& options, const Form& form, cuda::StreamView stream) {
  form.program().behind_run(stream);
  for (const auto& work : options.ordered) work->behind_run(stream.get());
}

/// What every call from outside does first.
struct Entered {
  cuda::CurrentContext current{device_context()};
  cuda::BesideCaptures relaxed;
};

}  // namespace

GpuExecutor::GpuExecutor(std::shared_ptr<const plan::Plan> plan, const GpuPolicy& policy,
                         std::shared_ptr<ArenaMemory> arena)
    : plan_(std::move(plan)), policy_(policy), shared_arena_(std::move(arena)) {
  if (policy_.copies == 0U) throw UsageError("a loop is checked after at least one trip, not 0");
}

const std::shared_ptr<Form>& GpuExecutor::form_with(const Residents& residents,
                                                    const ir::RunOptions& options) {
  GYRE_CHECK(!options.checked || !plan_->fused, "a fused plan is not for checked runs");
  for (const auto& sentences : {residents.chosen, residents.declined}) {
    for (const std::string& sentence : sentences) {
      if (told_.insert(sentence).second) log::info(sentence);
    }
  }
  std::shared_ptr<Form>& form = forms_[{residents.shapes, options.checked, options.traced}];
  if (!form) {
    jit::EmitOptions emitted = emit_options(options);
    emitted.resident = residents.shapes;
    form = std::make_shared<Form>(plan_, emitted, policy_.flag,
                                  shared_arena_ ? shared_arena_->part<DeviceArena>() : nullptr);
  }
  if (last_ && last_ != form) last_->wait_for_all();
  last_ = form;
  return form;
}

const std::shared_ptr<Form>& GpuExecutor::form_for(const ir::Bound& bound,
                                                   const ir::RunOptions& options) {
  if (!policy_.persistent || options.checked) return form_with({}, options);
  auto sizes = sizes_of(*plan_, bound);
  if (!residents_ || residents_->first != sizes) {
    residents_.emplace(std::move(sizes), find_residents(*plan_, bound, cuda::read_device_facts(),
                                                        costs(), *policy_.persistent));
  }
  return form_with(residents_->second, options);
}

Form& GpuExecutor::bound_form(const ir::Bound& bound, const ir::RunOptions& options) {
  const std::lock_guard lock(binding_);
  Form& form = *form_for(bound, options);
  form.bind(bound);
  if (options.checked) form.program().check_memory_is_there(bound);
  return form;
}

jit::EmitOptions GpuExecutor::emit_options(const ir::RunOptions& run) {
  jit::EmitOptions options{run.checked, policy_.decisions, plan::host_decisions(*plan_), {}};
  options.traced = run.traced;
  plan::ChoicePolicy choice{policy_.predication, policy_.copies, policy_.ahead,
                            options.host_decides};
  if (policy_.decisions == jit::Decisions::Host) {
    choice.host_decides.assign(choice.host_decides.size(), true);
  }
  options.choices = plan::make_choices(*plan_, costs(), choice);
  return options;
}

const plan::CostTable& GpuExecutor::costs() {
  if (!costs_) costs_ = plan::find_cost_table(cuda::read_device_facts().name).table;
  return *costs_;
}

// A loop on the chip has a text for each of its shapes, which sizes decide: a guess would be
// compiled in vain, and takes seconds.
void GpuExecutor::compile(bool checked) {
  const Entered entered;
  if (policy_.persistent && !checked && !plan::resident_loops(*plan_).empty()) {
    return try_kernels(plan_->name);
  }
  form_with({}, {.checked = checked});
}

void GpuExecutor::build(Form& form, Steps steps) const {
  const Pieces pieces = pieces_of(form);
  while (!steps.empty()) {
    const Steps piece = pieces.leading(steps);
    if (pieces.is_graph(piece)) form.segment(piece);
    if (piece.empty()) {
      for (const auto& block : steps.front().blocks) build(form, block);
    }
    steps = steps.subspan(piece.empty() ? 1 : piece.size());
  }
}

void GpuExecutor::prepare(const ir::Bound& bound, const ir::RunOptions& options) {
  const Entered entered;
  Form& form = bound_form(bound, options);
  build(form, form.module()->emitted().steps);
  form.stream().synchronize();
}

std::size_t GpuExecutor::held_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [key, form] : forms_) bytes += form->program().held_bytes();
  return bytes;
}

std::shared_ptr<Flight> GpuExecutor::start(const ir::Bound& bound, const ir::RunOptions& options) {
  const Entered entered;
  const std::lock_guard lock(binding_);
  const std::shared_ptr<Form>& form = form_for(bound, options);
  if (pieces_of(*form).need_host()) return nullptr;
  form->bind(bound);
  if (options.checked) form->program().check_memory_is_there(bound);
  // The host copies its buffers when the device is done.
  if (form->program().copies_each_time()) return nullptr;
  const Segment& all = form->segment(form->module()->emitted().steps);
  const std::uint64_t launch = form->next_launch();
  form->program().write_request(launch, bound, options);
  const cuda::StreamView stream = stream_of(options, form->stream());
  // What is copied once must be there for launches on other streams too.
  if (form->program().copy_in(form->stream())) form->stream().synchronize();
  order_behind(options, *form, stream);
  all.launch(stream);
  order_ahead(options, *form, stream);
  auto flight = std::make_shared<DeviceFlight>(form, launch);
  form->launched(launch, stream, flight);
  return flight;
}

ir::Outcome GpuExecutor::run(const ir::Bound& bound, const ir::RunOptions& options) {
  const Entered entered;
  Form& form = bound_form(bound, options);
  try {
    return attend(form, bound, options);
  } catch (...) {
    form.give_up(stream_of(options, form.stream()));
    throw;
  }
}

ir::Outcome GpuExecutor::attend(Form& form, const ir::Bound& bound,
                                const ir::RunOptions& options) const {
  const Steps all = form.module()->emitted().steps;
  build(form, all);
  const std::uint64_t number = form.next_launch();
  const DeviceProgram& program = form.program();
  program.write_request(number, bound, options);
  const cuda::StreamView stream = stream_of(options, form.stream());
  const auto tell_progress = [&] {
    const auto progress = program.progress();
    // Before this launch began, the counts are those of another.
    if (progress.launch == number) options.progress->store(progress.trips);
  };
  AttendedRun run(form, policy_, stream,
                  Attention(
                      options, [&] { program.cancel(number); }, tell_progress));
  form.launched(number, stream, nullptr);
  order_behind(options, form, stream);
  program.copy_in(stream);
  run.run(all);
  run.wait([&] { return program.has_result(number); });
  ir::Outcome outcome = read_outcome(program.module(), program.mailbox().result(number),
                                     program.outputs(), *program.views());
  outcome.host_syncs = run.host_syncs();
  if (options.traced) read_trace(program, options, outcome);
  if (options.progress != nullptr) options.progress->store(all_trips(outcome));
  program.copy_out(stream);
  order_ahead(options, form, stream);
  form.launched(number, stream, nullptr);
  form.behind(number).synchronize();
  return outcome;
}

std::shared_ptr<InputPlace> GpuExecutor::make_input(std::size_t bytes) const {
  const Entered entered;
  return std::make_shared<DeviceInput>(bytes);
}

bool GpuExecutor::peek(ir::SymbolId buffer, std::size_t offset, std::span<std::byte> to) {
  const Entered entered;
  const std::lock_guard lock(binding_);
  return last_ && last_->program().peek(buffer, offset, to);
}

bool GpuExecutor::is_capturing(void* stream) const {
  if (stream == nullptr) return false;
  const Entered entered;
  return cuda::live_capture(static_cast<CUstream>(stream)).has_value();
}

std::shared_ptr<Flight> GpuExecutor::join(const ir::Bound& bound, const ir::RunOptions& options) {
  const Entered entered;
  const Form& form = *form_for(bound, options);
  if (pieces_of(form).need_host()) {
    throw UsageError("program '" + plan_->name +
                     "' cannot be part of a captured stream: " + why_host());
  }
  auto program = std::make_shared<DeviceProgram>(form.module(), 1, nullptr);
  program->bind(bound, [] {});
  if (program->has_mirrors()) {
    throw UsageError("program '" + plan_->name + "' cannot be part of a captured stream: buffer '" +
                     program->first_mirror() + "' lies on the host; bind memory of the device");
  }
  program->write_request(1, bound, options);

  const cuda::StreamView stream(static_cast<CUstream>(options.stream));
  const auto live = cuda::live_capture(stream);
  GYRE_CHECK(live.has_value(), "joining a stream that is not captured");
  GraphBuilder builder(*program, form.recording(),
                       std::vector<std::uint64_t>(form.module()->emitted().conditional_count));
  const cuda::GraphView graph(live->graph, std::make_shared<cuda::NodeNames>());
  const auto last = builder.add(graph, form.module()->emitted().steps, live->last);
  struct Kept {
    std::shared_ptr<DeviceProgram> program;
    BuiltNodes nodes;
  };
  cuda::keep_alive(live->graph, std::make_shared<Kept>(Kept{program, builder.finish()}));
  cuda::continue_capture(stream, last);
  return std::make_shared<JoinedFlight>(std::move(program));
}

std::string GpuExecutor::why_host() const {
  const auto reasons = plan::explain_host_decisions(*plan_);
  return reasons.empty() ? "the " + std::string(name()) + " executor decides branches on the host"
                         : reasons.front();
}

}  // namespace gyre::executors
