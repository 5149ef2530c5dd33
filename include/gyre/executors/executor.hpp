/// What every executor offers: it owns a plan and runs it on bound arguments.
///
/// Leaves out choosing one (make_executor.hpp) and everything around a launch (runtime/).
#pragma once

#include "gyre/ir/bind.hpp"
#include "gyre/ir/outcome.hpp"
#include "gyre/ir/run_options.hpp"
#include "gyre/plan/plan.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace gyre::executors {

/// A run that a device makes by itself. Any thread may ask; destroying it waits for nothing.
class Flight {
 public:
  virtual ~Flight() = default;

  /// Whether the run is over. EnvironmentError where the device failed.
  virtual bool is_done() = 0;
  /// Ends the run within one execution of its innermost body.
  virtual void cancel() = 0;
  /// The trips of all loops so far.
  virtual std::uint64_t progress() = 0;
  /// How the run ended; to be asked once it is over.
  virtual ir::Outcome outcome() = 0;
  /// Waits until the run is over or the device has come to what is put on `stream` next. Whether
  /// that, by then or by the order of streams, comes behind the run.
  virtual bool is_over_before(void* stream) {
    static_cast<void>(stream);
    return is_done();
  }
};

/// Memory for one input, where the program runs. It is written while runs read other memory. Runs
/// that the host attends and that read it have ended before `values` is called; the others are put
/// in order with it as OrderedWork.
class InputPlace : public ir::OrderedWork {
 public:
  /// What runs are bound to.
  virtual void* data() const = 0;
  /// Memory of the host for what is to be sent. Waits until what was sent before has left it.
  virtual std::span<std::byte> values() = 0;
  /// Brings `values` to `data`: behind the runs that read it, ahead of those to come. May return
  /// before that is done.
  virtual void send() = 0;
};

/// Runs one plan any number of times. Runs are started one after the other; different executors run
/// at once.
class Executor {
 public:
  virtual ~Executor() = default;

  /// `cpu`, `host_branch`, `device_graph` or `persistent`.
  virtual std::string_view name() const = 0;

  /// Does what needs no arguments: compiling and loading kernels. What the machine cannot do shows
  /// here, as an EnvironmentError. May be left out.
  virtual void compile(bool checked) { static_cast<void>(checked); }

  /// Does ahead of a run on these arguments what the first such run would do otherwise: compiling,
  /// laying out memory, building graphs. May be left out.
  virtual void prepare(const ir::Bound& bound, const ir::RunOptions& options) {
    static_cast<void>(bound);
    static_cast<void>(options);
  }

  /// The memory that it holds beside the caller's, where it runs: temporaries, state, copies of
  /// host buffers. None before the first run was prepared; what a driver takes for graphs and
  /// modules is not in it.
  virtual std::size_t held_bytes() const { return 0; }

  /// Runs the plan to its end on arguments that `ir::resolve` has checked. Buffers are written in
  /// place; how the run ended is the result.
  virtual ir::Outcome run(const ir::Bound& bound, const ir::RunOptions& options) = 0;

  /// Puts a run on the stream behind what was started before it, and returns at once. Null where
  /// the host has a part in such a run: then it takes `run`. `options.cancel` is not looked at.
  virtual std::shared_ptr<Flight> start(const ir::Bound& bound, const ir::RunOptions& options) {
    static_cast<void>(bound);
    static_cast<void>(options);
    return nullptr;
  }

  /// Memory for an input of so many bytes; it may outlive the executor.
  virtual std::shared_ptr<InputPlace> make_input(std::size_t bytes) const;

  /// Copies what an output that stays where the program runs holds from byte `offset` on, also
  /// while a run is under way; any thread may ask. False where it stays in the memory bound.
  virtual bool peek(ir::SymbolId buffer, std::size_t offset, std::span<std::byte> to) {
    static_cast<void>(buffer);
    static_cast<void>(offset);
    static_cast<void>(to);
    return false;
  }

  /// Whether work put on `stream` is recorded rather than run.
  virtual bool is_capturing(void* stream) const {
    static_cast<void>(stream);
    return false;
  }

  /// Makes the run part of the capture that `options.stream` is in; UsageError where it cannot be.
  /// The recorded work keeps what it needs alive, and the flight speaks of its last replay. Only
  /// where `is_capturing`.
  virtual std::shared_ptr<Flight> join(const ir::Bound& bound, const ir::RunOptions& options);
};

}  // namespace gyre::executors
