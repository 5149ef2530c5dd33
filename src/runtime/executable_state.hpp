/// What an executable is: a plan and its executor, what is bound, and the order of its launches.
///
/// Leaves out making one from a program (executable.cpp).
#pragma once

#include "bindings.hpp"
#include "checked_launches.hpp"
#include "gyre/executors/executor.hpp"
#include "gyre/runtime/executable.hpp"
#include "kept_buffers.hpp"
#include "launch_state.hpp"
#include "turns.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// A place of an input that is written ahead, and the launch that was started on it last.
struct FedPlace {
  std::shared_ptr<executors::InputPlace> memory;
  std::weak_ptr<LaunchState> reader = {};
};

/// Any thread may use it.
class Executable::State {
 public:
  State(std::shared_ptr<const plan::Plan> plan, std::shared_ptr<executors::Executor> executor,
        const CompileOptions& options);
  /// Waits for the launch that was started last.
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  /// What executors share of an arena; null where there is none.
  static std::shared_ptr<executors::ArenaMemory> memory_of(const SharedArena* arena);

  const plan::Plan& plan() const { return *plan_; }
  std::string_view executor() const { return executor_->name(); }
  std::size_t held_bytes();

  void bind(std::string_view buffer, ir::BufferView memory, bool constant);
  void set_size(std::string_view size, std::int64_t value);
  void set(std::string_view scalar, const ir::Value& value);
  void keep(std::string_view buffer, std::vector<std::int64_t> extents);
  void peek(std::string_view buffer, std::int64_t first, ir::ScalarType type,
            std::span<std::byte> to);

  /// The type of an `in` buffer of as many extents; UsageError where there is none such.
  ir::ScalarType type_of_input(const std::string& name, const std::vector<std::int64_t>& extents);
  /// A place for an input of so many bytes.
  std::shared_ptr<FedPlace> make_place(std::size_t bytes);
  /// Waits for what must be over before the host writes the values of a place that is not bound.
  void wait_for_readers(FedPlace& place);
  /// Binds a place, so that launches to come read it.
  void feed(const std::string& input, ir::BufferView memory, std::shared_ptr<FedPlace> place);

  void prepare();
  Launch launch(void* stream, Trace* trace);
  Result run(Trace* trace);

 private:
  const ir::Bound& bound();
  ir::RunOptions options_on(void* stream) const;
  std::unique_lock<std::mutex> lock_arena() const;
  std::shared_ptr<LaunchState> unfinished() const;
  std::optional<CheckedLaunch> check(void* stream);
  /// What the launches are that this one runs after or before, never beside.
  const void* order() const;
  /// UsageError where the one that is to be waited for runs in this thread.
  void check_not_within(const std::shared_ptr<LaunchState>& previous) const;
  void wait_for_last() const;
  /// A launch is under way, or has its place in the order.
  void started(std::shared_ptr<LaunchState> state, std::optional<CheckedLaunch>& checked);
  Launch join(void* stream);
  Launch fly(void* stream, const std::shared_ptr<LaunchState>& previous);
  // A launch that has its place in the order, and what it waits for.
  struct Turn {
    std::shared_ptr<AttendedLaunch> state;
    std::shared_ptr<LaunchState> previous;
    ir::Bound bound;
    ir::RunOptions options;
  };
  Turn take_turn(void* stream, const std::shared_ptr<LaunchState>& previous);
  void attend(Turn& turn, Trace* trace) const {
    turn.state->run(*executor_, turn.bound, turn.options, trace, turn.previous.get());
  }
  Launch attend_beside(Turn turn, Trace* trace);

  std::shared_ptr<const plan::Plan> plan_;
  std::shared_ptr<executors::Executor> executor_;
  Overlap overlap_;
  std::shared_ptr<SharedArena> arena_;
  ir::RunOptions run_options_;
  std::mutex mutex_;
  Bindings bindings_;
  KeptBuffers kept_;
  /// By the name of the input.
  std::map<std::string, std::shared_ptr<FedPlace>, std::less<>> fed_;
  /// What is bound, checked; scalars set since then are in it.
  ir::Bound bound_;
  bool is_resolved_ = false;
  /// The launch that was started last; those before it have ended or it waits for them.
  std::shared_ptr<LaunchState> last_;
};

}  // namespace gyre
