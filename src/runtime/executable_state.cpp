#include "executable_state.hpp"

#include "gyre/base/error.hpp"

#include <system_error>
#include <thread>
#include <utility>

namespace gyre {

Executable::State::State(std::shared_ptr<const plan::Plan> plan,
                         std::shared_ptr<executors::Executor> executor,
                         const CompileOptions& options)
    : plan_(std::move(plan)),
      executor_(std::move(executor)),
      overlap_(options.overlap),
      arena_(options.arena),
      bindings_(plan_->symbols),
      kept_(plan_->symbols) {
  run_options_.checked = options.checked;
  run_options_.max_trips = options.max_trips;
}

Executable::State::~State() {
  if (last_ && !last_->waits_for_this_thread()) last_->wait();
  if (run_options_.checked) CheckedLaunch::forget_ended();
}

std::shared_ptr<executors::ArenaMemory> Executable::State::memory_of(const SharedArena* arena) {
  return arena == nullptr ? nullptr : arena->memory_;
}

std::size_t Executable::State::held_bytes() {
  const std::lock_guard lock(mutex_);
  wait_for_last();
  return executor_->held_bytes();
}

void Executable::State::bind(std::string_view buffer, ir::BufferView memory, bool constant) {
  const std::lock_guard lock(mutex_);
  bindings_.bind(buffer, std::move(memory), constant);
  if (const auto fed = fed_.find(buffer); fed != fed_.end()) fed_.erase(fed);
  kept_.forget(buffer);
  is_resolved_ = false;
}

void Executable::State::set_size(std::string_view size, std::int64_t value) {
  const std::lock_guard lock(mutex_);
  bindings_.set_size(size, value);
  is_resolved_ = false;
}

void Executable::State::set(std::string_view scalar, const ir::Value& value) {
  const std::lock_guard lock(mutex_);
  const auto [symbol, held] = bindings_.set(scalar, value);
  // Memory stays where it is: nothing else has to be looked at again.
  if (is_resolved_) bound_.values[static_cast<std::size_t>(symbol)] = held;
}

void Executable::State::keep(std::string_view buffer, std::vector<std::int64_t> extents) {
  const std::lock_guard lock(mutex_);
  wait_for_last();
  bindings_.bind(buffer, kept_.make(buffer, std::move(extents), new_edition()), false);
  is_resolved_ = false;
}

void Executable::State::peek(std::string_view buffer, std::int64_t first, ir::ScalarType type,
                             std::span<std::byte> to) {
  const std::lock_guard lock(mutex_);
  kept_.peek(buffer, first, type, to, *executor_);
}

ir::ScalarType Executable::State::type_of_input(const std::string& name,
                                                const std::vector<std::int64_t>& extents) {
  const std::lock_guard lock(mutex_);
  return bindings_.check_input(name, extents).type;
}

std::shared_ptr<FedPlace> Executable::State::make_place(std::size_t bytes) {
  return std::make_shared<FedPlace>(FedPlace{executor_->make_input(bytes)});
}

void Executable::State::wait_for_readers(FedPlace& place) {
  std::shared_ptr<LaunchState> reader;
  {
    const std::lock_guard lock(mutex_);
    reader = place.reader.lock();
    check_not_within(reader);
  }
  // A device's own launches are waited for by whatever is sent.
  if (reader && reader->is_attended()) reader->wait();
}

void Executable::State::feed(const std::string& input, ir::BufferView memory,
                             std::shared_ptr<FedPlace> place) {
  const std::lock_guard lock(mutex_);
  bindings_.bind(input, std::move(memory), true);
  fed_.insert_or_assign(input, std::move(place));
  is_resolved_ = false;
}

const ir::Bound& Executable::State::bound() {
  if (!is_resolved_) {
    bound_ = ir::resolve(plan_->symbols, bindings_.arguments());
    is_resolved_ = true;
  }
  return bound_;
}

ir::RunOptions Executable::State::options_on(void* stream) const {
  ir::RunOptions options = run_options_;
  options.stream = stream;
  for (const auto& [input, place] : fed_) options.ordered.push_back(place->memory);
  return options;
}

// Held while a launch takes its place in the order of the arena; of nothing where there is none.
std::unique_lock<std::mutex> Executable::State::lock_arena() const {
  return arena_ ? std::unique_lock(arena_->turns_->mutex) : std::unique_lock<std::mutex>();
}

// The launch that a new one overlaps, where that is allowed.
std::shared_ptr<LaunchState> Executable::State::unfinished() const {
  // Of all launches in an arena the last one is the one that all others come before.
  const auto previous = arena_ ? arena_->turns_->last.lock() : last_;
  if (!previous || previous->ready()) return nullptr;
  if (overlap_ == Overlap::Queue) return previous;
  const std::string advice = "wait for its result, or compile ";
  if (previous == last_) {
    throw UsageError("program '" + plan_->name + "' is still running; " + advice +
                     "it with Overlap::Queue");
  }
  throw UsageError("program '" + arena_->turns_->program +
                   "' is still running in the arena that it shares with '" + plan_->name + "'; " +
                   advice + "the latter with Overlap::Queue");
}

const void* Executable::State::order() const {
  return arena_ ? static_cast<const void*>(arena_.get()) : this;
}

void Executable::State::check_not_within(const std::shared_ptr<LaunchState>& previous) const {
  if (!previous || previous->ready() || !AttendedLaunch::is_run_here(order())) return;
  throw UsageError("program '" + plan_->name +
                   "' would wait for itself: a call on the host waits for a launch that comes "
                   "behind its own; start it with launch(), and take the result behind the call");
}

void Executable::State::wait_for_last() const {
  check_not_within(last_);
  if (last_) last_->wait();
}

std::optional<CheckedLaunch> Executable::State::check(void* stream) {
  if (!run_options_.checked) return std::nullopt;
  return std::make_optional<CheckedLaunch>(plan_->name, plan_->symbols, bound(), order(), stream);
}

void Executable::State::started(std::shared_ptr<LaunchState> state,
                                std::optional<CheckedLaunch>& checked) {
  last_ = std::move(state);
  kept_.launched();
  for (auto& [input, place] : fed_) place->reader = last_;
  if (checked) checked->started(last_);
  if (!arena_) return;
  arena_->turns_->last = last_;
  arena_->turns_->program = plan_->name;
}

Launch Executable::State::join(void* stream) {
  if (!fed_.empty()) {
    throw UsageError("program '" + plan_->name + "' cannot be part of a captured stream: buffer '" +
                     fed_.begin()->first +
                     "' is written by an InputRing, which cannot know of replays; bind memory of "
                     "the device");
  }
  return Launch(std::make_shared<JoinedLaunch>(executor_->join(bound(), options_on(stream))), {});
}

// Without a thread where the device needs none; an empty Launch where it needs one. Launches of a
// device queue up by themselves, those that a host attends are waited for by one.
Launch Executable::State::fly(void* stream, const std::shared_ptr<LaunchState>& previous) {
  if (previous && previous->is_attended()) return Launch(nullptr, {});
  auto checked = check(stream);
  auto flight = executor_->start(bound(), options_on(stream));
  if (!flight) return Launch(nullptr, {});
  started(std::make_shared<FlownLaunch>(std::move(flight), stream != nullptr), checked);
  return Launch(last_, {});
}

Executable::State::Turn Executable::State::take_turn(void* stream,
                                                     const std::shared_ptr<LaunchState>& previous) {
  Turn turn{std::make_shared<AttendedLaunch>(order()), previous, bound(), options_on(stream)};
  auto checked = check(stream);
  started(turn.state, checked);
  return turn;
}

Launch Executable::State::launch(void* stream, Trace* trace) {
  std::unique_lock lock(mutex_);
  if (executor_->is_capturing(stream)) return join(stream);
  auto arena = lock_arena();
  const auto previous = unfinished();
  if (stream != nullptr) check_not_within(previous);
  if (trace == nullptr) {
    if (Launch launch = fly(stream, previous); launch.state_) return launch;
  }
  Turn turn = take_turn(stream, previous);
  if (stream == nullptr) return attend_beside(std::move(turn), trace);
  if (arena) arena.unlock();
  lock.unlock();
  attend(turn, trace);
  return Launch(std::move(turn.state), {});
}

Launch Executable::State::attend_beside(Turn turn, Trace* trace) {
  auto state = turn.state;
  const auto previous = turn.previous;
  try {
    // The thread shares what it uses, so that it may end after the executable is gone.
    std::thread thread([turn = std::move(turn), executor = executor_, plan = plan_, trace] {
      turn.state->run(*executor, turn.bound, turn.options, trace, turn.previous.get());
    });
    return Launch(std::move(state), std::move(thread));
  } catch (const std::system_error& error) {
    // What comes next still waits for what came before.
    last_ = previous;
    if (arena_) arena_->turns_->last = previous;
    state->abandon();
    throw EnvironmentError("launching program '" + plan_->name +
                           "': no thread could be started: " + error.what());
  }
}

Result Executable::State::run(Trace* trace) {
  std::unique_lock lock(mutex_);
  auto arena = lock_arena();
  const auto previous = unfinished();
  check_not_within(previous);
  if (trace == nullptr) {
    if (Launch launch = fly(nullptr, previous); launch.state_) {
      if (arena) arena.unlock();
      lock.unlock();
      return launch.result();
    }
  }
  Turn turn = take_turn(nullptr, previous);
  if (arena) arena.unlock();
  lock.unlock();
  attend(turn, trace);
  return turn.state->result();
}

void Executable::State::prepare() {
  const std::lock_guard lock(mutex_);
  wait_for_last();
  executor_->prepare(bound(), run_options_);
}

}  // namespace gyre
