/// A plan made ready for a GPU, with or without checks: its program, the graphs of its pieces, and
/// the queue of launches under way.
///
/// Leaves out walking the steps (attended_run.hpp).
#pragma once

#include "decision_flags.hpp"
#include "device_program.hpp"
#include "gyre/cuda/event.hpp"
#include "segment.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace gyre::executors {

class DeviceFlight;

class Form {
 public:
  /// `arena` as DeviceProgram takes it.
  Form(std::shared_ptr<const plan::Plan> plan, const jit::EmitOptions& options,
       HostBranchOptions::Flag flag, std::shared_ptr<DeviceArena> arena);
  /// A launch tells its result before it is over: memory is given back behind it.
  ~Form();
  Form(const Form&) = delete;
  Form& operator=(const Form&) = delete;

  const DeviceProgram& program() const { return program_; }
  const std::shared_ptr<const DeviceModule>& module() const { return module_; }
  cuda::StreamView stream() const { return stream_; }
  /// Where calls are recorded.
  cuda::StreamView recording() const { return recording_ ? *recording_ : stream_.view(); }
  DecisionFlags& flags() { return flags_; }

  /// Takes the buffers and sizes of a run; waits for launches under way where these would lose
  /// memory.
  void bind(const ir::Bound& bound);

  /// What a step's kernel is launched with when it stands in no graph.
  const DeviceProgram::Prepared& prepared(const jit::Step& step);
  /// The graph of the steps, built and brought to the device on first use.
  Segment& segment(std::span<const jit::Step> steps);

  /// The number of the next launch, whose place in the queue is free.
  std::uint64_t next_launch();
  /// After the launch was put on a stream: where to wait for it, and who wants its outcome.
  void launched(std::uint64_t launch, cuda::StreamView stream,
                const std::shared_ptr<DeviceFlight>& flight);
  /// The event behind the launch of that number.
  const cuda::Event& behind(std::uint64_t launch) const { return place(launch).behind; }

  /// Until no launch is under way.
  void wait_for_all() const;

  /// After a run that an exception ended: lets what was begun come to its end, and forgets what was
  /// decided.
  void give_up(cuda::StreamView stream) noexcept;

 private:
  struct Place {
    cuda::Event behind;
    std::weak_ptr<DeviceFlight> flight;
  };
  Place& place(std::uint64_t launch) { return queue_[(launch - 1) % jit::queue_places]; }
  const Place& place(std::uint64_t launch) const {
    return queue_[(launch - 1) % jit::queue_places];
  }

  std::shared_ptr<const DeviceModule> module_;
  DeviceProgram program_;
  DecisionFlags flags_;
  std::vector<std::uint64_t> host_words_;
  cuda::Stream stream_;
  /// Only where there are calls to record: few streams run at once on a device.
  std::optional<cuda::Stream> recording_;
  std::unordered_map<const jit::Step*, DeviceProgram::Prepared> prepared_;
  /// By their first step.
  std::map<const jit::Step*, Segment> segments_;
  std::array<Place, jit::queue_places> queue_;
  std::uint64_t launches_ = 0;
};

}  // namespace gyre::executors
