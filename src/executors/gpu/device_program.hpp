/// A plan's memory on a device: state and temporaries, the buffers of a run, and what each kernel
/// is launched with. The GPU executors run one, and each join of a capture has one of its own.
///
/// Leaves out who decides branches and in which form kernels are launched.
#pragma once

#include "call_resources.hpp"
#include "device_arena.hpp"
#include "device_module.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/cuda/pointer_facts.hpp"
#include "gyre/executors/executor.hpp"
#include "mailbox.hpp"
#include "mirrors.hpp"
#include "resident_launch.hpp"
#include "sharing.hpp"
#include "watch_memory.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gyre::executors {

class DeviceProgram {
 public:
  /// `places`: how many launches may wait in the queue. `arena`: shared with programs that never
  /// run at the same time; null: it has one of its own.
  DeviceProgram(std::shared_ptr<const DeviceModule> module, std::uint32_t places,
                std::shared_ptr<DeviceArena> arena);

  const DeviceModule& module() const { return *module_; }
  const plan::Plan& plan() const { return module_->plan(); }
  const Mailbox& mailbox() const { return mailbox_; }

  /// What a bind changed of what kernels are launched with.
  enum class Change {
    Nothing,
    /// Addresses of buffers: launches under way are not concerned.
    Addresses,
    /// Sizes, grids or memory of our own.
    Layout
  };
  /// Takes the buffers and sizes of a run: makes mirrors of host memory, lays out temporaries, and
  /// computes grids. `let_launches_end` is called first where launches under way would lose memory.
  /// UsageError, and nothing changed, where memory cannot serve (check_memory.hpp).
  Change bind(const ir::Bound& bound, const std::function<void()>& let_launches_end);

  /// UsageError, naming the buffer, where memory that is bound has been given back since.
  void check_memory_is_there(const ir::Bound& bound) const;

  /// Whether buffers of the host are bound, which have mirrors on the device.
  bool has_mirrors() const { return !mirrors_.empty(); }
  /// The name of one of them.
  const std::string& first_mirror() const { return plan()[mirrors_.first()].name; }
  /// Whether a launch takes copies of what may have changed, or that it has changed.
  bool copies_each_time() const { return mirrors_.copies_each_time(); }
  /// Copies host buffers to their mirrors, but for what is there already, and back; whether there
  /// was something to copy.
  bool copy_in(cuda::StreamView stream) const { return mirrors_.copy_in(stream); }
  void copy_out(cuda::StreamView stream) const { mirrors_.copy_out(stream); }

  /// Whether the last bind changed what the step's kernel is launched with.
  bool has_moved(const jit::Step& step) const;

  /// A kernel with what it is launched with.
  struct Prepared {
    cuda::Function function;
    cuda::LaunchShape shape;
    std::vector<std::uint64_t> words;
    std::vector<void*> arguments;
  };
  /// Of a step that launches a kernel. `decisions` holds the word of each conditional node.
  Prepared prepare(const jit::Step& step, const std::vector<std::uint64_t>& decisions) const;

  /// The device memory of a buffer or temporary, as bound.
  cuda::DeviceView memory_of(ir::SymbolId buffer) const;
  /// What a call gets: buffers where they are on the device, scalars as their cells.
  ir::BufferView device_view(ir::SymbolId argument) const;
  /// Where the guard of a step stands: a word of the state, or one that is always 1.
  CUdeviceptr guard_address(const jit::Step& step) const {
    return step.guard == 0 ? guard_.address() : head(step.arm) + step.guard;
  }
  /// What the calls of the program use beside their arguments.
  CallResources& calls() const { return *calls_; }
  /// A word that nobody reads.
  cuda::DeviceView scratch() const { return guard_.view().part(8, 4); }

  /// What is put on `stream` next comes behind the runs of other programs in the same arena.
  void before_run(cuda::StreamView stream) const {
    if (shares_arena_) arena_->before_run(stream);
  }
  /// Runs of those that are started later come behind what is on `stream` now.
  void behind_run(cuda::StreamView stream) const {
    if (shares_arena_) arena_->behind_run(stream);
  }

  /// Writes what launch number `launch` is told.
  void write_request(std::uint64_t launch, const ir::Bound& bound,
                     const ir::RunOptions& options) const;
  /// Whether the launch of that number has written its result.
  bool has_result(std::uint64_t launch) const { return mailbox_.has_result(launch); }
  /// The low bits of the number of a launch that has, where there is one place for all; 0: none.
  std::uint64_t any_result() const;
  /// The buffers as bound, for reading an outcome after they are bound anew.
  std::shared_ptr<const std::vector<ir::BufferView>> views() const { return views_; }
  const std::vector<ir::SymbolId>& outputs() const { return module_->emitted().outputs; }

  /// Ends the running launch of that number within one execution of its innermost body.
  void cancel(std::uint64_t launch) const;
  /// Trips of all loops so far, and the number of the launch that began last: read from the device
  /// while it runs.
  struct Progress {
    std::uint64_t trips = 0;
    std::uint64_t launch = 0;
  };
  Progress progress() const;
  /// Copies what a buffer that is never copied to the host holds now, from byte `offset` on;
  /// whether there is such memory.
  bool peek(ir::SymbolId buffer, std::size_t offset, std::span<std::byte> to) const {
    return mirrors_.peek(buffer, offset, to);
  }
  /// All memory of the device that it has for itself.
  std::size_t held_bytes() const;
  /// Copies a part of the log of trips (kernels/trace.cuh) of a program that keeps one.
  void read_log(std::size_t offset, void* to, std::size_t bytes) const;

 private:
  /// Where kernels of that arm of a fork find the state; 0: those of no arm.
  CUdeviceptr head(std::uint32_t arm) const {
    return state_.address() + module_->emitted().layout.head(arm);
  }
  /// A part of the state from `offset` bytes behind the launch's head on.
  cuda::DeviceView state_part(std::size_t offset, std::size_t bytes) const {
    return state_.view().part(module_->emitted().layout.head(0) + offset, bytes);
  }

  std::vector<cuda::PointerFacts> facts_of(const ir::Bound& bound) const;
  bool changes_layout(const ir::Bound& bound, const std::vector<bool>& mirrored) const;
  bool lay_out_temporaries(const ir::Bound& bound, const std::function<void()>& let_launches_end);
  void share_and_shape(const ir::Bound& bound);
  Sharing sharing_of(std::uint32_t kernel, const ir::Bound& bound) const;
  cuda::LaunchShape shape_of(std::uint32_t kernel, const ir::Bound& bound) const;

  std::shared_ptr<const DeviceModule> module_;
  Mailbox mailbox_;
  cuda::DeviceMemory state_;
  cuda::DeviceMemory guard_;
  WatchMemory watch_;
  bool shares_arena_;
  std::shared_ptr<DeviceArena> arena_;
  /// Where its temporaries lie; null where it has none.
  std::shared_ptr<const cuda::DeviceMemory> temporaries_;
  std::unique_ptr<CallResources> calls_;
  cuda::PinnedMemory side_words_;
  /// One for each place of the queue.
  cuda::PinnedMemory cancel_words_{jit::queue_places * sizeof(std::uint32_t)};

  Mirrors mirrors_;
  /// By SymbolId.
  std::vector<cuda::DeviceView> memory_;
  /// By SymbolId: where the caller's buffers lay when they were bound.
  std::vector<cuda::PointerFacts> facts_;
  /// By SymbolId: what the last bind moved; and whether it changed more than addresses.
  std::vector<bool> moved_;
  bool is_laid_out_anew_ = true;
  /// Shared memory that a block may have.
  std::size_t most_shared_;
  std::shared_ptr<const std::vector<ir::BufferView>> views_;
  std::vector<std::int64_t> sizes_;
  /// The sizes for which kernels have their sharing, shapes and rooms for rows; none before the
  /// first bind, and behind one that an exception has ended.
  std::optional<std::vector<std::int64_t>> shaped_for_;
  /// By kernel of the emitted module.
  std::vector<cuda::LaunchShape> shapes_;
  std::vector<Sharing> sharing_;
  std::vector<RowRooms> row_rooms_;
  /// Each in the form that its sharing takes.
  std::shared_ptr<const std::vector<cuda::Function>> functions_;
  std::uint64_t memory_version_ = 0;
};

}  // namespace gyre::executors
