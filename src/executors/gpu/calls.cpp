#include "calls.hpp"

#include "gyre/base/error.hpp"
#include "gyre/cuda/body_audit.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/graph_exec.hpp"

namespace gyre::executors {
namespace {

std::string title(const plan::RunCall& call) {
  return "the call '" + call.callee->name + "' in " + call.region;
}

}  // namespace

void run_call(const DeviceProgram& program, const plan::RunCall& call, cuda::StreamView stream) {
  if (!call.callee->device) {
    throw UsageError(title(call) +
                     " has no device function; give its Callee one, or run with the cpu executor");
  }
  ir::DeviceCallContext context;
  context.stream = stream.get();
  for (const ir::SymbolId argument : call.arguments) {
    context.arguments.push_back(program.device_view(argument));
  }
  call.callee->device(context);
}

std::vector<cuda::Dependency> record_call(const DeviceProgram& program, const plan::RunCall& call,
                                          const cuda::GraphView& graph,
                                          std::span<const cuda::Dependency> after,
                                          cuda::StreamView stream) {
  // First into a graph of its own: what may not stand in a body is found there, by name, before it
  // can spoil the whole graph.
  const cuda::Graph alone(title(call));
  const cuda::During during("recording " + title(call));
  {
    cuda::Capture capture(stream, alone.view(), {});
    run_call(program, call, stream);
    capture.end();
  }
  const auto offences =
      cuda::audit_body(cuda::read_nodes(alone.get()), call.callee->name, call.region);
  if (!offences.empty()) throw UsageError(offences.front());
  return {{graph.add_child(title(call), alone.get(), after)}};
}

}  // namespace gyre::executors
