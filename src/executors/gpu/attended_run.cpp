#include "attended_run.hpp"

#include "calls.hpp"
#include "gyre/base/error.hpp"

#include <variant>

namespace gyre::executors {

void AttendedRun::run(Steps steps) {
  while (!steps.empty()) {
    const Steps piece = pieces_.leading(steps);
    if (piece.empty()) {
      run_with_host(steps.front());
    } else {
      run_piece(piece);
    }
    steps = steps.subspan(piece.empty() ? 1 : piece.size());
  }
}

void AttendedRun::run_piece(Steps piece) {
  if (pieces_.is_graph(piece)) return form_.segment(piece).launch(stream_);
  for (const jit::Step& step : piece) run_alone(step);
}

void AttendedRun::run_alone(const jit::Step& step) {
  const DeviceProgram& program = form_.program();
  if (step.kernel) {
    const DeviceProgram::Prepared& kernel = form_.prepared(step);
    return kernel.function.launch(kernel.shape, kernel.arguments, stream_);
  }
  if (step.side_by_side) {
    for (const auto& arm : step.blocks) {
      for (const jit::Step& one : arm) run_alone(one);
    }
    return;
  }
  if (const auto* clear = std::get_if<plan::Clear>(step.node)) {
    const auto memory = program.memory_of(clear->buffer);
    if (memory.bytes != 0) cuda::clear(memory, stream_);
    return;
  }
  const auto* copy = std::get_if<plan::CopyBuffer>(step.node);
  GYRE_CHECK(copy != nullptr, "calls and branches run in graphs, or with the host");
  const auto to = program.memory_of(copy->to);
  if (to.bytes == 0) return;
  cuda::copy_on_device(to, program.memory_of(copy->from), to.bytes, stream_);
}

void AttendedRun::run_with_host(const jit::Step& step) {
  if (const auto* call = call_in(step)) return run_call_with_host(step, *call);
  if (step.side_by_side) {
    // The host can attend one arm at a time.
    for (const auto& arm : step.blocks) run(arm);
    return;
  }
  if (std::holds_alternative<plan::WhileNode>(*step.node)) {
    while (decision(step) == 1) run(step.blocks[0]);
    return;
  }
  if (jit::branch_form(*step.node) == jit::BranchForm::None) return;
  const std::uint32_t arm = decision(step);
  if (arm < step.blocks.size()) run(step.blocks[arm]);
}

void AttendedRun::run_call_with_host(const jit::Step& step, const plan::RunCall& call) {
  const DeviceProgram& program = form_.program();
  if (!runs_on_host(call)) return run_call(program, step, stream_);
  wait([&] { return stream_.is_done(); });
  ++host_syncs_;
  run_on_host(program, step, stream_);
}

std::uint32_t AttendedRun::decision(const jit::Step& step) {
  attention_.look();
  ++host_syncs_;
  return form_.flags().read(step.number, stream_, attention_);
}

}  // namespace gyre::executors
