/// Runs register code over blocks of lanes: the state of one worker for one body.
///
/// A register is described rather than filled where that is enough: one value for all lanes, an
/// arithmetic sequence, or a pointer into a buffer. So `x[i + 1]` is a pointer, and what the lanes
/// share is computed once. Leaves out threads and reductions over lanes (cpu_sweep.hpp).
#pragma once

#include "cpu_bytecode.hpp"
#include "cpu_fault.hpp"
#include "cpu_lanes.hpp"
#include "gyre/base/error.hpp"
#include "gyre/ir/arguments.hpp"
#include "gyre/ir/program.hpp"
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/ir/value.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gyre::executors::cpu {

class PromiseWatch;

/// A buffer as a run binds it.
struct BoundBuffer {
  ir::ScalarType type = ir::ScalarType::Invalid;
  char* data = nullptr;
  std::vector<std::int64_t> extents;
};

/// What all workers of a run share.
struct Shared {
  std::vector<BoundBuffer> buffers;
  std::span<const ir::Symbol> symbols;
  /// The current value of each slot and size, as its bytes.
  std::vector<std::uint64_t> current;
  std::uint64_t max_trips = 0;
  /// Several workers run: colliding additions must be atomic.
  bool concurrent = false;
};

enum class Form : std::uint8_t {
  /// One value, at `data`.
  Uniform,
  /// Lane i holds first + i * step.
  Sequence,
  /// Lane i holds element i of `data`.
  Vector,
};

struct Register {
  void* data = nullptr;
  std::int64_t first = 0;
  std::int64_t step = 0;
  Form form = Form::Uniform;
  /// A sequence whose values also stand in the register's own memory.
  bool written = false;
};

/// A register's values for a loop over lanes: element i * stride.
template <class T>
struct Operand {
  const T* data;
  int stride;

  T operator[](std::int64_t lane) const { return data[lane * stride]; }
};

class Machine {
 public:
  /// Lanes of a block of points, and terms of a fold that are evaluated at once: as many as let
  /// three registers of f64 lie in the nearest cache together.
  static constexpr int max_lanes = 512;
  static constexpr int max_terms = 1024;

  /// `shared` outlives the machine, its `current` never moves.
  Machine(const Body& body, Shared& shared, int root_lanes = max_lanes);

  const Body& body() const { return body_; }
  Shared& shared() { return shared_; }
  Context& context(std::uint32_t id) { return contexts_[id]; }
  Context& root() { return contexts_[0]; }
  FoldScratch& fold_scratch(std::uint32_t context) { return fold_scratch_[context]; }

  /// Runs the preamble: once a launch, before any block.
  void prepare();
  /// Runs the body on `lanes` points, the first of which has the linear index `linear`.
  void run_block(int lanes, std::int64_t linear);
  /// Runs `code` on `lanes`, as far as each of them comes.
  void execute(const Code& code, Context& context, Lanes lanes);

  Register& reg(RegId id) { return registers_[id]; }
  /// A register's own memory, room for every lane of its context.
  template <class T>
  T* storage(RegId id) {
    return static_cast<T*>(storage_[id]);
  }
  void set_uniform(RegId id) { registers_[id] = {storage_[id], 0, 0, Form::Uniform, false}; }
  void set_vector(RegId id) { registers_[id] = {storage_[id], 0, 0, Form::Vector, false}; }
  void set_sequence(RegId id, std::int64_t first, std::int64_t step) {
    registers_[id] = {storage_[id], first, step, Form::Sequence, false};
  }
  template <class T>
  void set_value(RegId id, T value) {
    *storage<T>(id) = value;
    set_uniform(id);
  }

  /// The values of `id` for a loop over the lanes of `context`; writes a sequence out.
  template <class T>
  Operand<T> operand(RegId id, const Context& context);
  /// As `operand`, but one element a lane, in the register's own memory: it may be written.
  template <class T>
  T* own_vector(RegId id, const Context& context);
  /// An integer register's value at `lane`.
  std::int64_t integer_at(RegId id, int lane) const;
  /// The single value of a scalar body's result.
  ir::Value result(std::size_t number);

  /// The lanes that still run.
  Lanes survivors(Context& context, const Lanes& lanes);
  LaneStack& lane_stack() { return lane_stack_; }
  /// Ends `lane` (and, in a fold, the terms after it, and the lane whose fold it is) with a fault.
  void fail(Context& context, int lane, const Site& site, const Ending& ending);
  const std::optional<FaultFound>& fault() const { return fault_; }
  void clear_fault() { fault_.reset(); }

  /// Checked mode watches for broken promises; null elsewhere. Blocks have one lane then.
  PromiseWatch* watch = nullptr;

 private:
  void kill(Context& context, int lane);

  const Body& body_;
  Shared& shared_;
  std::vector<Register> registers_;
  std::vector<void*> storage_;
  std::vector<std::uint64_t> constants_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<Context> contexts_;
  std::vector<FoldScratch> fold_scratch_;
  LaneStack lane_stack_;
  std::optional<FaultFound> fault_;
};

template <class T>
Operand<T> Machine::operand(RegId id, const Context& context) {
  Register& r = registers_[id];
  if (r.form == Form::Sequence && !r.written) {
    if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>) {
      T* out = storage<T>(id);
      // Every value fits; their differences need not, so the sums wrap.
      using U = ops::wrapping_t<T>;
      const auto first = static_cast<U>(r.first);
      const auto step = static_cast<U>(r.step);
      for (int i = 0; i < context.lanes; ++i) {
        out[i] = static_cast<T>(first + static_cast<U>(i) * step);
      }
      r.data = out;
      r.written = true;
    }
  }
  return {static_cast<const T*>(r.data), r.form == Form::Uniform ? 0 : 1};
}

template <class T>
T* Machine::own_vector(RegId id, const Context& context) {
  const Operand<T> values = operand<T>(id, context);
  T* out = storage<T>(id);
  if (values.stride == 0) {
    const T value = *values.data;
    for (int i = 0; i < context.lanes; ++i) out[i] = value;
  } else if (values.data != out) {
    for (int i = 0; i < context.lanes; ++i) out[i] = values.data[i];
  }
  set_vector(id);
  return out;
}

}  // namespace gyre::executors::cpu
