#include "calls.hpp"

#include "gyre/base/log.hpp"
#include "gyre/cuda/body_audit.hpp"
#include "gyre/cuda/recording.hpp"

#include <exception>

namespace gyre::executors {
namespace {

std::string title(const plan::RunCall& call) {
  return "the call '" + call.callee->name + "' in " + call.region;
}

std::vector<ir::BufferView> device_views(const DeviceProgram& program, const plan::RunCall& call) {
  std::vector<ir::BufferView> views;
  for (const ir::SymbolId argument : call.arguments) {
    views.push_back(program.device_view(argument));
  }
  return views;
}

void check_device_form(const plan::RunCall& call) {
  if (call.callee->device) return;
  throw UsageError(title(call) + " has no device form, so a GPU cannot run it; " +
                   (call.callee->host ? "place it on the host, give it one, or run with the cpu "
                                        "executor"
                                      : "give it one"));
}

const plan::RunCall& call_of(const jit::Step& step) {
  return std::get<plan::RunCall>(*step.node);
}

void put_on_stream(const DeviceProgram& program, const jit::Step& step, cuda::StreamView stream) {
  const plan::RunCall& call = call_of(step);
  Scratch& scratch = program.calls().scratch.at(step.arm);
  scratch.begin_call();
  call.callee->device({.stream = stream.get(),
                       .arguments = device_views(program, call),
                       .guard = reinterpret_cast<const unsigned*>(program.guard_address(step)),
                       .memory = &scratch});
}

[[noreturn]] void refuse(const plan::RunCall& call, const std::string& why,
                         const std::exception_ptr& thrown) {
  const RefusedCall refusal(title(call) + " " + why);
  if (!thrown) throw refusal;
  try {
    std::rethrow_exception(thrown);
  } catch (...) {
    std::throw_with_nested(refusal);
  }
}

}  // namespace

void run_call(const DeviceProgram& program, const jit::Step& step, cuda::StreamView stream) {
  check_device_form(call_of(step));
  put_on_stream(program, step, stream);
}

void run_on_host(const DeviceProgram& program, const jit::Step& step, cuda::StreamView stream) {
  const plan::RunCall& call = call_of(step);
  const ir::Callee& callee = *call.callee;
  if (callee.device) return put_on_stream(program, step, stream);
  if (!callee.host) {
    throw UsageError(title(call) + " is placed on the host and has no form at all; give it one");
  }
  const auto device = device_views(program, call);
  HostStaging& staging = program.calls().staging;
  const auto host = staging.fetch(device, callee.accesses, stream);
  ir::HostCallContext context{.arguments = host};
  callee.host(context);
  staging.put_back(host, device, callee.accesses, stream);
}

RecordedCall record_call(const DeviceProgram& program, const jit::Step& step,
                         const cuda::GraphView& graph, std::span<const cuda::Dependency> after,
                         cuda::StreamView stream) {
  const plan::RunCall& call = call_of(step);
  if (call.callee->placement == ir::Placement::Host) {
    refuse(call, "is placed on the host, so no graph can hold it", nullptr);
  }
  check_device_form(call);
  // Into a graph of its own: what may not stand in a body is found there, by name, before it can
  // spoil the whole graph.
  const cuda::Recording made =
      cuda::record_work(title(call), stream, [&] { put_on_stream(program, step, stream); });
  if (!made.failure.empty()) refuse(call, made.failure, made.thrown);
  const std::vector<cuda::NodeFacts> nodes = cuda::read_nodes(made.graph.get());
  if (const auto reasons = cuda::audit_body(nodes); !reasons.empty()) {
    refuse(call, reasons.front(), nullptr);
  }
  if (nodes.empty()) {
    // Right where there is nothing to do, and what work on a stream of its own looks like.
    log::info(title(call) +
              " has recorded nothing: only what is on the context's stream is part of "
              "the program");
    return {graph.add_clear(title(call), program.scratch(), after)};
  }
  if (nodes.size() == 1 && nodes[0].type == CU_GRAPH_NODE_TYPE_KERNEL) {
    // As a child graph it would be entered and left.
    return {graph.add_kernel_like(title(call), nodes[0].node, after), true};
  }
  return {graph.add_child(title(call), made.graph.get(), after)};
}

}  // namespace gyre::executors
