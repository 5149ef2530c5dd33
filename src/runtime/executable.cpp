#include "gyre/runtime/executable.hpp"

#include "bindings.hpp"
#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "gyre/executors/make_executor.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/verify_plan.hpp"
#include "gyre/verifier/verify.hpp"
#include "launch_state.hpp"

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

plan::Plan lower(ir::Program program) {
  auto plan = plan::make_plan(passes::run_passes(std::move(program)));
  std::string breaches;
  for (const std::string& breach : plan::verify_plan(plan)) breaches += "\n  " + breach;
  GYRE_CHECK(breaches.empty(), "the plan of '" + plan.name + "' breaks its rules:" + breaches);
  return plan;
}

}  // namespace

class Executable::State {
 public:
  State(std::shared_ptr<const plan::Plan> plan, std::shared_ptr<executors::Executor> executor,
        const CompileOptions& options)
      : plan_(std::move(plan)),
        executor_(std::move(executor)),
        overlap_(options.overlap),
        bindings_(plan_->symbols) {
    run_options_.checked = options.checked;
    run_options_.max_trips = options.max_trips;
  }
  ~State() {
    if (last_) last_->wait();
  }

  const plan::Plan& plan() const { return *plan_; }
  std::string_view executor() const { return executor_->name(); }

  template <class Change>
  void rebind(Change change) {
    const std::lock_guard lock(mutex_);
    change(bindings_);
  }

  void prepare();
  Launch launch(Trace* trace);
  Result run(Trace* trace);

 private:
  // A launch that has its place in the order, and what it waits for.
  struct Turn {
    std::shared_ptr<LaunchState> state;
    std::shared_ptr<LaunchState> previous;
    ir::Bound bound;
  };

  Turn take_turn() const;

  std::shared_ptr<const plan::Plan> plan_;
  std::shared_ptr<executors::Executor> executor_;
  Overlap overlap_;
  ir::RunOptions run_options_;
  std::mutex mutex_;
  Bindings bindings_;
  /// The launch that was started last; those before it have ended or it waits for them.
  std::shared_ptr<LaunchState> last_;
};

Executable::State::Turn Executable::State::take_turn() const {
  auto previous = last_;
  if (previous && previous->ready()) previous = nullptr;
  if (previous && overlap_ == Overlap::Refuse) {
    throw UsageError("program '" + plan_->name +
                     "' is still running; wait for its result, or compile it with Overlap::Queue");
  }
  return {std::make_shared<LaunchState>(), std::move(previous),
          ir::resolve(plan_->symbols, bindings_.arguments())};
}

Launch Executable::State::launch(Trace* trace) {
  const std::lock_guard lock(mutex_);
  auto turn = take_turn();
  auto state = turn.state;
  try {
    // The thread shares what it uses, so that it may end after the executable is gone.
    std::thread thread(
        [turn = std::move(turn), executor = executor_, plan = plan_, options = run_options_,
         trace] { turn.state->run(*executor, turn.bound, options, trace, turn.previous.get()); });
    last_ = state;
    return Launch(std::move(state), std::move(thread));
  } catch (const std::system_error& error) {
    throw EnvironmentError("launching program '" + plan_->name +
                           "': no thread could be started: " + error.what());
  }
}

Result Executable::State::run(Trace* trace) {
  Turn turn;
  {
    const std::lock_guard lock(mutex_);
    turn = take_turn();
    last_ = turn.state;
  }
  turn.state->run(*executor_, turn.bound, run_options_, trace, turn.previous.get());
  return turn.state->result();
}

void Executable::State::prepare() {
  const std::lock_guard lock(mutex_);
  if (last_) last_->wait();
  executor_->prepare(ir::resolve(plan_->symbols, bindings_.arguments()), run_options_);
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

void Executable::bind_counted(std::string_view buffer, ir::BufferView memory, std::int64_t count,
                              bool constant) {
  if (!holds(memory.extents, count)) {
    throw UsageError("buffer '" + std::string(buffer) + "' was given " + std::to_string(count) +
                     " elements, which are not as many as its extents say");
  }
  state().rebind([&](Bindings& bound) { bound.bind(buffer, std::move(memory), constant); });
}

void Executable::set(std::string_view scalar, const ir::Value& value) {
  state().rebind([&](Bindings& bound) { bound.set(scalar, value); });
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
  return state().launch(trace);
}

void Executable::prepare() {
  state().prepare();
}

Result Executable::run(Trace* trace) {
  return state().run(trace);
}

std::string_view Executable::executor() const {
  return state().executor();
}

const plan::Plan& Executable::plan() const {
  return state().plan();
}

Executable compile(ir::Program program, const CompileOptions& options) {
  check(program);
  auto plan = std::make_shared<const plan::Plan>(lower(std::move(program)));
  auto executor =
      executors::make_executor(plan, {.name = options.executor, .threads = options.threads});
  log::info("program '" + plan->name + "' runs on " + std::string(executor->name()) + " as " +
            std::to_string(plan->kernels.size()) + " kernels");
  return Executable(
      std::make_unique<Executable::State>(std::move(plan), std::move(executor), options));
}

}  // namespace gyre
