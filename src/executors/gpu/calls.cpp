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

void run_on_host(const DeviceProgram& program, const plan::RunCall& call, cuda::StreamView stream) {
  if (!call.callee->host)
    throw UsageError(title(call) + " runs on the host, but has no host function");
  ir::HostCallContext context;
  std::vector<std::vector<char>> staged(call.arguments.size());
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    ir::BufferView view = program.device_view(call.arguments[i]);
    const auto bytes = static_cast<std::size_t>(view.element_count()) * ir::size_of(view.type);
    staged[i].resize(bytes);
    cuda::copy_to_host(staged[i].data(), {reinterpret_cast<CUdeviceptr>(view.data), bytes}, bytes,
                       stream);
    view.data = staged[i].data();
    context.arguments.push_back(std::move(view));
  }
  stream.synchronize();
  call.callee->host(context);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (call.callee->accesses[i] == ir::Access::Read) continue;
    const ir::BufferView view = program.device_view(call.arguments[i]);
    cuda::copy_to_device({reinterpret_cast<CUdeviceptr>(view.data), staged[i].size()},
                         staged[i].data(), staged[i].size(), stream);
  }
  stream.synchronize();
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
