#include "gyre/runtime/executable.hpp"

#include "executable_state.hpp"
#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "gyre/executors/make_executor.hpp"
#include "gyre/passes/call_library.hpp"
#include "gyre/passes/order_on_host.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/verify_plan.hpp"
#include "gyre/verifier/verify.hpp"

#include <atomic>
#include <utility>
#include <vector>

namespace gyre {
namespace {

// Whether the extents' product is `count`.
bool holds(const std::vector<std::int64_t>& extents, std::int64_t count) {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0 || __builtin_mul_overflow(product, extent, &product)) return false;
  }
  return product == count;
}

void check(const ir::Program& program) {
  Diagnostics diagnostics;
  verifier::verify(program, diagnostics);
  if (diagnostics.has_errors()) throw ProgramError(std::move(diagnostics));
  for (const Diagnostic& warning : diagnostics.all()) log::warn(render(warning));
}

std::shared_ptr<const plan::Plan> lower(const ir::Program& lowered, const plan::PlanSteps& steps) {
  auto plan = plan::make_plan(lowered, steps);
  std::string breaches;
  for (const std::string& breach : plan::verify_plan(plan)) breaches += "\n  " + breach;
  GYRE_CHECK(breaches.empty(), "the plan of '" + plan.name + "' breaks its rules:" + breaches);
  return std::make_shared<const plan::Plan>(std::move(plan));
}

// A loop may stay on the chip but where another executor is asked for.
ir::Program with_library(const ir::Program& program, const CompileOptions& options,
                         std::vector<passes::PrimitiveForm>& forms) {
  if (!options.library) return program;
  const std::string wanted = executors::wanted_executor(options.executor);
  const bool in_loops = wanted == "device_graph" || wanted == "host_branch";
  return passes::call_library(program, *options.library, {.in_loops = in_loops}, &forms);
}

}  // namespace

Executable::Executable(std::shared_ptr<State> state) : state_(std::move(state)) {}
Executable::Executable(Executable&&) noexcept = default;
Executable& Executable::operator=(Executable&&) noexcept = default;
Executable::~Executable() = default;

Executable::State& Executable::state() const {
  if (!state_) throw UsageError("an executable that was moved away is used");
  return *state_;
}

void Executable::bind(std::string_view buffer, ir::BufferView memory) {
  state().bind(buffer, std::move(memory), false);
}

std::uint64_t Executable::new_edition() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

void Executable::bind_counted(std::string_view buffer, ir::BufferView memory, std::int64_t count,
                              bool constant) {
  if (!holds(memory.extents, count)) {
    throw UsageError("buffer '" + std::string(buffer) + "' was given " + std::to_string(count) +
                     " elements, which are not as many as its extents say");
  }
  bind_typed(buffer, std::move(memory), constant);
}

void Executable::bind_typed(std::string_view buffer, ir::BufferView memory, bool constant) {
  state().bind(buffer, std::move(memory), constant);
}

void Executable::keep(std::string_view buffer, std::vector<std::int64_t> extents) {
  state().keep(buffer, std::move(extents));
}

void Executable::peek_bytes(std::string_view buffer, std::int64_t first, ir::ScalarType type,
                            std::span<std::byte> to) {
  state().peek(buffer, first, type, to);
}

void Executable::set(std::string_view scalar, const ir::Value& value) {
  state().set(scalar, value);
}

void Executable::set_integer(std::string_view scalar, std::int64_t value, bool in_range) {
  if (!in_range) {
    throw UsageError("scalar '" + std::string(scalar) + "' was given a number past an i64");
  }
  set(scalar, ir::Value(value));
}

void Executable::set_size(std::string_view size, std::int64_t value) {
  state().set_size(size, value);
}

Launch Executable::launch(Trace* trace) {
  return state().launch(nullptr, trace);
}

Launch Executable::launch(StreamRef stream, Trace* trace) {
  if (stream.handle() == nullptr) {
    throw UsageError("a launch on a null stream: leave the stream out, or name cudaStreamLegacy");
  }
  return state().launch(stream.handle(), trace);
}

void Executable::prepare() {
  state().prepare();
}

Result Executable::run(Trace* trace) {
  return state().run(trace);
}

std::size_t Executable::held_bytes() const {
  return state().held_bytes();
}

std::string_view Executable::executor() const {
  return state().executor();
}

const plan::Plan& Executable::plan() const {
  return state().plan();
}

Executable compile(ir::Program program, const CompileOptions& options) {
  check(program);
  std::vector<passes::PrimitiveForm> forms;
  const ir::Program lowered = passes::run_passes(with_library(program, options, forms));
  executors::ExecutorOptions wanted{options.executor, options.threads, options.checked,
                                    Executable::State::memory_of(options.arena.get())};
  auto plan = lower(lowered, plan::steps_of_run(options.checked));
  auto executor = executors::make_executor(plan, wanted);
  if (executor->name() == "cpu") {
    // It finds wrong indices unasked, and tells the first: sweeps stay apart. The host orders.
    wanted.name = "cpu";
    plan = lower(passes::run_passes(passes::order_on_host(std::move(program))), plan::no_steps);
    executor = executors::make_executor(plan, wanted);
    forms.clear();
  }
  for (const auto& [region, form] : forms) log::info(region + ": " + form);
  log::info("program '" + plan->name + "' runs on " + std::string(executor->name()) + " as " +
            std::to_string(plan->kernels.size()) + " kernels");
  return Executable(
      std::make_shared<Executable::State>(std::move(plan), std::move(executor), options));
}

}  // namespace gyre
