/// Programs of one call, with what the tests of calls let it do.
#pragma once

#include "bound_program.hpp"
#include "calls.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace gyre::executors {

using DeviceWork = std::function<void(const ir::DeviceCallContext&)>;

constexpr const char* one_call = "program p(n: size) {\n  inout x: f64[n]\n  call work(x)\n}";

inline void clear_first(const ir::DeviceCallContext& c) {
  cuda::clear({reinterpret_cast<CUdeviceptr>(c.pointer<double>(0)), 80},
              static_cast<CUstream>(c.stream));
}

inline void wait_for_stream(const ir::DeviceCallContext& c) {
  cuda::StreamView(static_cast<CUstream>(c.stream)).synchronize();
}

inline void launch_host_function(const ir::DeviceCallContext& c) {
  const auto launch = reinterpret_cast<decltype(&::cuLaunchHostFunc)>(
      cuda::driver()->find("cuLaunchHostFunc", 10000));
  launch(
      c.stream, [](void*) {}, nullptr);
}

inline text::CallRegistry registry_of(ir::Callee callee) {
  callee.name = "work";
  callee.accesses = {ir::Access::ReadWrite};
  return {{"work", std::make_shared<const ir::Callee>(std::move(callee))}};
}

inline text::CallRegistry calling(DeviceWork work) {
  ir::Callee callee;
  callee.device = std::move(work);
  return registry_of(std::move(callee));
}

/// The step that makes the program's call.
inline const jit::Step& call_of(const BoundProgram& bound) {
  for (const jit::Step& step : bound.program().module().emitted().steps) {
    const bool calls = step.node != nullptr && std::holds_alternative<plan::RunCall>(*step.node);
    if (calls) return step;
  }
  throw std::logic_error("the program has no call");
}

/// Its first argument where the call finds it.
inline double* argument_of(const BoundProgram& bound) {
  const auto& call = std::get<plan::RunCall>(*call_of(bound).node);
  return static_cast<double*>(bound.program().device_view(call.arguments[0]).data);
}

}  // namespace gyre::executors
