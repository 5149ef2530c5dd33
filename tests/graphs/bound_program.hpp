/// A program made ready for a GPU, where a driver that only remembers stands in for one: its memory
/// is the host's, and nothing runs.
#pragma once

#include "graph_builder.hpp"
#include "gyre/jit/nvrtc.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace gyre::executors {

/// A function that the recording driver has beside those of CUDA; null where another one is loaded.
template <class Function>
Function* find_in_recording_driver(const char* name) {
  if (cuda::driver() == nullptr) return nullptr;
  return reinterpret_cast<Function*>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

class RecordedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (jit::nvrtc() == nullptr) GTEST_SKIP() << jit::why_no_nvrtc();
    if (find_in_recording_driver<const char*(CUgraph)>("recorded_graph") == nullptr) {
      GTEST_SKIP() << "another driver than the recording one is loaded";
    }
  }
};

/// Buffers have 10 elements, those that begin with "no" none; k is 3.
class BoundProgram {
 public:
  explicit BoundProgram(const std::string& text, const text::CallRegistry& calls = {},
                        const jit::EmitOptions& options = {}, const plan::PlanSteps& steps = {})
      : BoundProgram(text::parse_program("test.gyre", text, calls), options, steps) {}

  explicit BoundProgram(const ir::Program& program, const jit::EmitOptions& options = {},
                        const plan::PlanSteps& steps = {})
      : plan_(std::make_shared<const plan::Plan>(
            plan::make_plan(passes::run_passes(program), steps))),
        program_(std::make_shared<const DeviceModule>(plan_, options), 1, nullptr),
        // Each buffer has a part of its own: what is written overlaps nothing.
        memory_(10 * plan_->symbols.size()) {
    double* next = memory_.data();
    ir::Arguments arguments;
    for (const ir::Symbol& symbol : plan_->symbols) {
      const bool given = symbol.intent == ir::Intent::In || symbol.intent == ir::Intent::Inout ||
                         symbol.intent == ir::Intent::Out;
      if (symbol.kind == ir::SymbolKind::Buffer && given) {
        const bool empty = symbol.name.starts_with("no");
        arguments.buffers[symbol.name] = {
            symbol.type, {empty ? 0 : 10}, std::exchange(next, next + 10)};
      }
      if (symbol.name == "k") arguments.scalars.emplace("k", ir::Value(std::int32_t{3}));
    }
    program_.bind(ir::resolve(plan_->symbols, arguments), [] {});
  }

  const plan::Plan& plan() const { return *plan_; }
  const DeviceProgram& program() const { return program_; }
  cuda::StreamView stream() const { return stream_; }

  /// The graph of the whole program, as text.
  std::string nodes() const {
    GraphBuilder builder(program_, stream_,
                         std::vector<std::uint64_t>(program_.module().emitted().conditional_count));
    const cuda::Graph graph("test");
    builder.add(graph.view(), program_.module().emitted().steps, {});
    static_cast<void>(builder.finish());
    return find_in_recording_driver<const char*(CUgraph)>("recorded_graph")(graph.get());
  }

 private:
  std::shared_ptr<const plan::Plan> plan_;
  DeviceProgram program_;
  std::vector<double> memory_;
  cuda::Stream stream_;
};

}  // namespace gyre::executors
