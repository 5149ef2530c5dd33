/// A run that the host attends: it launches the pieces in which it has no part, and between them
/// decides branches and loops and makes calls.
///
/// Leaves out what stands around the steps: requests, copies, the result (gpu_executor.hpp).
#pragma once

#include "form.hpp"
#include "pieces.hpp"
#include "wait.hpp"

#include <cstdint>
#include <utility>

namespace gyre::executors {

class AttendedRun {
 public:
  /// `attention`: what the host keeps an eye on while it waits.
  AttendedRun(Form& form, const GpuPolicy& policy, cuda::StreamView stream, Attention attention)
      : form_(form),
        pieces_(policy, form.module()->emitted()),
        stream_(stream),
        attention_(std::move(attention)) {}

  /// Puts the steps on the stream in their order; waits for whatever the host has to know.
  void run(Steps steps);

  /// Waits until `is_there`, which what is on the stream brings about.
  template <class Condition>
  void wait(const Condition& is_there) const {
    attention_.wait(stream_, is_there);
  }

  /// How often the host has waited for the device within the steps.
  std::uint64_t host_syncs() const { return host_syncs_; }

 private:
  void run_piece(Steps piece);
  void run_alone(const jit::Step& step);
  void run_with_host(const jit::Step& step);
  void run_call_with_host(const jit::Step& step, const plan::RunCall& call);
  std::uint32_t decision(const jit::Step& step);

  Form& form_;
  Pieces pieces_;
  cuda::StreamView stream_;
  Attention attention_;
  std::uint64_t host_syncs_ = 0;
};

}  // namespace gyre::executors
