#include "gyre/runtime/executable.hpp"

#include "bindings.hpp"
#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "gyre/executors/make_executor.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/verify_plan.hpp"
#include "gyre/verifier/verify.hpp"
#include "kept_buffers.hpp"
#include "launch_state.hpp"

#include <atomic>
#include <mutex>
#include <system_error>
#include <utility>

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

}  // namespace

class Executable::State {
 public:
  State(std::shared_ptr<const plan::Plan> plan, std::shared_ptr<executors::Executor> executor,
        const CompileOptions& options)
      : plan_(std::move(plan)),
        executor_(std::move(executor)),
        overlap_(options.overlap),
        bindings_(plan_->symbols),
        kept_(plan_->symbols) {
    run_options_.checked = options.checked;
    run_options_.max_trips = options.max_trips;
  }
  ~State() {
    if (last_) last_->wait();
  }

  const plan::Plan& plan() const { return *plan_; }
  std::string_view executor() const { return executor_->name(); }
  std::size_t held_bytes() {
    const std::lock_guard lock(mutex_);
    if (last_) last_->wait();
    return executor_->held_bytes();
  }

  template <class Change>
  void rebind(Change change) {
    const std::lock_guard lock(mutex_);
    change(bindings_);
    is_resolved_ = false;
  }
  void set(std::string_view scalar, const ir::Value& value);
  void keep(std::string_view buffer, std::vector<std::int64_t> extents) {
    const std::lock_guard lock(mutex_);
    if (last_) last_->wait();
    bindings_.bind(buffer, kept_.make(buffer, std::move(extents), new_edition()), false);
    is_resolved_ = false;
  }
  void peek(std::string_view buffer, std::int64_t first, ir::ScalarType type,
            std::span<std::byte> to) {
    const std::lock_guard lock(mutex_);
    kept_.peek(buffer, first, type, to, *executor_);
  }

  void prepare();
  Launch launch(void* stream, Trace* trace);
  Result run(Trace* trace);

 private:
  const ir::Bound& bound();
  std::shared_ptr<LaunchState> unfinished() const;
  Launch fly(void* stream, const std::shared_ptr<LaunchState>& previous);
  // A launch that has its place in the order, and what it waits for.
  struct Turn {
    std::shared_ptr<AttendedLaunch> state;
    std::shared_ptr<LaunchState> previous;
    ir::Bound bound;
    ir::RunOptions options;
  };
  Turn take_turn(void* stream);
  void attend(Turn& turn, Trace* trace) const {
    turn.state->run(*executor_, turn.bound, turn.options, trace, turn.previous.get());
  }

  std::shared_ptr<const plan::Plan> plan_;
  std::shared_ptr<executors::Executor> executor_;
  Overlap overlap_;
  ir::RunOptions run_options_;
  std::mutex mutex_;
  Bindings bindings_;
  KeptBuffers kept_;
  /// What is bound, checked; scalars set since then are in it.
  ir::Bound bound_;
  bool is_resolved_ = false;
  /// The launch that was started last; those before it have ended or it waits for them.
  std::shared_ptr<LaunchState> last_;
};

void Executable::State::set(std::string_view scalar, const ir::Value& value) {
  const std::lock_guard lock(mutex_);
  const auto [symbol, held] = bindings_.set(scalar, value);
  // Memory stays where it is: nothing else has to be looked at again.
  if (is_resolved_) bound_.values[static_cast<std::size_t>(symbol)] = held;
}

const ir::Bound& Executable::State::bound() {
  if (!is_resolved_) {
    bound_ = ir::resolve(plan_->symbols, bindings_.arguments());
    is_resolved_ = true;
  }
  return bound_;
}

// The launch that a new one overlaps, where that is allowed.
std::shared_ptr<LaunchState> Executable::State::unfinished() const {
  if (!last_ || last_->ready()) return nullptr;
  if (overlap_ == Overlap::Refuse) {
    throw UsageError("program '" + plan_->name +
                     "' is still running; wait for its result, or compile it with Overlap::Queue");
  }
  return last_;
}

Executable::State::Turn Executable::State::take_turn(void* stream) {
  Turn turn{std::make_shared<AttendedLaunch>(), unfinished(), bound(), run_options_};
  turn.options.stream = stream;
  last_ = turn.state;
  return turn;
}

// Without a thread where the device needs none; an empty Launch where it needs one. Launches of a
// device queue up by themselves, those that a host attends are waited for by one.
Launch Executable::State::fly(void* stream, const std::shared_ptr<LaunchState>& previous) {
  if (previous && previous->is_attended()) return Launch(nullptr, {});
  ir::RunOptions options = run_options_;
  options.stream = stream;
  auto flight = executor_->start(bound(), options);
  if (!flight) return Launch(nullptr, {});
  last_ = std::make_shared<FlownLaunch>(std::move(flight), stream != nullptr);
  return Launch(last_, {});
}

Launch Executable::State::launch(void* stream, Trace* trace) {
  std::unique_lock lock(mutex_);
  if (executor_->is_capturing(stream)) {
    ir::RunOptions options = run_options_;
    options.stream = stream;
    return Launch(std::make_shared<JoinedLaunch>(executor_->join(bound(), options)), {});
  }
  if (trace == nullptr) {
    if (Launch launch = fly(stream, unfinished()); launch.state_) return launch;
  }
  Turn turn = take_turn(stream);
  auto state = turn.state;
  if (stream != nullptr) {
    lock.unlock();
    attend(turn, trace);
    return Launch(std::move(state), {});
  }
  try {
    // The thread shares what it uses, so that it may end after the executable is gone.
    std::thread thread([turn = std::move(turn), executor = executor_, plan = plan_, trace] {
      turn.state->run(*executor, turn.bound, turn.options, trace, turn.previous.get());
    });
    return Launch(std::move(state), std::move(thread));
  } catch (const std::system_error& error) {
    last_ = nullptr;
    throw EnvironmentError("launching program '" + plan_->name +
                           "': no thread could be started: " + error.what());
  }
}

Result Executable::State::run(Trace* trace) {
  std::unique_lock lock(mutex_);
  if (trace == nullptr) {
    if (Launch launch = fly(nullptr, unfinished()); launch.state_) {
      lock.unlock();
      return launch.result();
    }
  }
  Turn turn = take_turn(nullptr);
  lock.unlock();
  attend(turn, trace);
  return turn.state->result();
}

void Executable::State::prepare() {
  const std::lock_guard lock(mutex_);
  if (last_) last_->wait();
  executor_->prepare(bound(), run_options_);
}

Executable::Executable(std::unique_ptr<State> state) : state_(std::move(state)) {}
Executable::Executable(Executable&&) noexcept = default;
Executable& Executable::operator=(Executable&&) noexcept = default;
Executable::~Executable() = default;

Executable::State& Executable::state() const {
  if (!state_) throw UsageError("an executable that was moved away is used");
  return *state_;
}

void Executable::bind(std::string_view buffer, ir::BufferView memory) {
  state().rebind([&](Bindings& bound) { bound.bind(buffer, std::move(memory), false); });
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
  state().rebind([&](Bindings& bound) { bound.bind(buffer, std::move(memory), constant); });
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
  state().rebind([&](Bindings& bound) { bound.set_size(size, value); });
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
  const ir::Program lowered = passes::run_passes(std::move(program));
  executors::ExecutorOptions wanted{options.executor, options.threads, options.checked};
  auto plan = lower(lowered, plan::steps_of_run(options.checked));
  auto executor = executors::make_executor(plan, wanted);
  if (plan->fused && executor->name() == "cpu") {
    // It finds wrong indices unasked, and tells the first: sweeps stay apart.
    wanted.name = "cpu";
    plan = lower(lowered, plan::no_steps);
    executor = executors::make_executor(plan, wanted);
  }
  log::info("program '" + plan->name + "' runs on " + std::string(executor->name()) + " as " +
            std::to_string(plan->kernels.size()) + " kernels");
  return Executable(
      std::make_unique<Executable::State>(std::move(plan), std::move(executor), options));
}

}  // namespace gyre
