#include "gyre/cuda/graph.hpp"

#include "gpu_test.hpp"
#include "gyre/base/error.hpp"

#include <gmock/gmock.h>

namespace gyre::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class GraphTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (!facts_.has_conditional_nodes()) {
      GTEST_SKIP() << "the driver knows CUDA " << version_text(facts_.driver_version)
                   << ", conditional nodes need 12.4";
    }
  }
};

TEST_F(GraphTest, KernelsRunInOrderOfTheirDependencies) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(1);
  const Graph graph("order");
  const auto first = add_kernel(graph.view(), module.function("store"), {}, cells.address(), 5LL);
  add_kernel(graph.view(), module.function("add"), {{first}}, cells.address(), 2LL);

  run(graph);

  EXPECT_THAT(read(cells), ElementsAre(7));
}

TEST_F(GraphTest, ClearsAndCopiesAreNodes) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(3);
  const DeviceView view = cells.view();
  const Graph graph("copies");
  const auto set = add_kernel(graph.view(), module.function("store"), {}, view.address, 9LL);
  const auto copied =
      graph.view().add_copy("a copy", view.part(8, 8).address, view.address, 8, {{{set}}});
  graph.view().add_clear("a clear", view.part(0, 8), {{{copied}}});

  run(graph);

  EXPECT_THAT(read(cells), ElementsAre(0, 9, 0));
}

TEST_F(GraphTest, WhileRunsUntilItsHandleIsCleared) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(2);
  const CUdeviceptr left = cells.address();
  const CUdeviceptr trips = cells.address() + 8;
  const Graph graph("count_down");
  const auto handle = graph.view().make_handle(1);
  const auto start = add_kernel(graph.view(), module.function("store"), {}, left, 1000LL);
  const auto loop =
      graph.view().add_conditional("loop", ConditionalKind::While, handle, 1, {{{start}}});
  const auto counted = add_kernel(loop.bodies[0], module.function("add"), {}, trips, 1LL);
  add_kernel(loop.bodies[0], module.function("again"), {{counted}}, handle, left);

  run(graph);

  EXPECT_THAT(read(cells), ElementsAre(0, 1000));
}

TEST_F(GraphTest, NestedLoopRunsInEveryOuterTripWhenItsHandleIsSetThere) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(3);
  const CUdeviceptr outer_left = cells.address();
  const CUdeviceptr inner_left = cells.address() + 8;
  const CUdeviceptr trips = cells.address() + 16;
  const Graph graph("nested");
  const auto outer_handle = graph.view().make_handle(1);
  const auto start = add_kernel(graph.view(), module.function("store"), {}, outer_left, 3LL);
  const auto outer =
      graph.view().add_conditional("outer", ConditionalKind::While, outer_handle, 1, {{{start}}});
  const GraphView& body = outer.bodies[0];
  const auto inner_handle = body.make_handle();
  const auto armed = add_kernel(body, module.function("set"), {}, inner_handle, 1U);
  const auto entered = add_kernel(body, module.function("store"), {{armed}}, inner_left, 4LL);
  const auto inner =
      body.add_conditional("inner", ConditionalKind::While, inner_handle, 1, {{{entered}}});
  const auto counted = add_kernel(inner.bodies[0], module.function("add"), {}, trips, 1LL);
  add_kernel(inner.bodies[0], module.function("again"), {{counted}}, inner_handle, inner_left);
  add_kernel(body, module.function("again"), {{inner.node}}, outer_handle, outer_left);

  run(graph);

  EXPECT_THAT(read(cells), ElementsAre(0, 0, 12));
}

TEST_F(GraphTest, IfTakesOneOfTwoArms) {
  if (!facts_.has_else()) GTEST_SKIP() << "ELSE needs a driver of CUDA 12.8";
  const Module module = load_kernels();
  for (const unsigned value : {0U, 1U}) {
    const DeviceMemory cells = make_cells(2);
    const Graph graph("branch");
    const auto handle = graph.view().make_handle(value);
    const auto node = graph.view().add_conditional("branch", ConditionalKind::If, handle, 2, {});
    add_kernel(node.bodies[0], module.function("store"), {}, cells.address(), 1LL);
    add_kernel(node.bodies[1], module.function("store"), {}, cells.address() + 8, 1LL);

    run(graph);

    EXPECT_THAT(read(cells), ElementsAre(value, 1 - value));
  }
}

TEST_F(GraphTest, SwitchTakesItsCaseOrNone) {
  if (!facts_.has_switch()) GTEST_SKIP() << "SWITCH needs a driver of CUDA 12.8";
  const Module module = load_kernels();
  for (const unsigned value : {0U, 2U, 3U}) {
    const DeviceMemory cells = make_cells(3);
    const Graph graph("cases");
    const auto handle = graph.view().make_handle(value);
    const auto node = graph.view().add_conditional("cases", ConditionalKind::Switch, handle, 3, {});
    for (unsigned i = 0; i < 3; ++i) {
      add_kernel(node.bodies[i], module.function("store"), {}, cells.address() + 8 * i, 1LL);
    }

    run(graph);

    EXPECT_THAT(read(cells), ElementsAre(value == 0, value == 1, value == 2));
  }
}

TEST_F(GraphTest, ArgumentsChangeWithoutInstantiatingAnew) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(3);
  const auto build = [&](CUdeviceptr target) {
    Graph graph("rebind");
    add_kernel(graph.view(), module.function("add"), {}, target, 1LL);
    return graph;
  };
  const Graph graph("set");
  const auto node = add_kernel(graph.view(), module.function("add"), {}, cells.address(), 1LL);
  const GraphExec exec(graph);
  CUdeviceptr second = cells.address() + 8;
  long long one = 1;
  void* arguments[] = {&second, &one};

  exec.launch(*stream_);
  exec.set_kernel(node, {.function = module.function("add"), .shape = {}, .arguments = arguments});
  exec.launch(*stream_);
  const GraphUpdate update = exec.update(build(cells.address() + 16));
  exec.launch(*stream_);

  EXPECT_TRUE(update.done) << update.reason;
  EXPECT_THAT(read(cells), ElementsAre(1, 1, 1));
}

TEST_F(GraphTest, UpdateFromAnotherTopologyIsRefusedWithAReason) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(1);
  const Graph one("one");
  add_kernel(one.view(), module.function("add"), {}, cells.address(), 1LL);
  const Graph two("two");
  const auto first = add_kernel(two.view(), module.function("add"), {}, cells.address(), 1LL);
  add_kernel(two.view(), module.function("add"), {{first}}, cells.address(), 1LL);
  const GraphExec exec(one);

  const GraphUpdate update = exec.update(two);
  exec.launch(*stream_);

  EXPECT_FALSE(update.done);
  EXPECT_FALSE(update.reason.empty());
  EXPECT_THAT(read(cells), ElementsAre(1));
}

TEST_F(GraphTest, MappedMemoryShowsWhatAKernelStored) {
  const Module module = load_kernels();
  const PinnedMemory result(8, PinnedMemory::Access::Mapped);
  const Graph graph("mapped");
  add_kernel(graph.view(), module.function("store"), {}, result.device_address(), 42LL);

  run(graph);

  EXPECT_EQ(*static_cast<std::int64_t*>(result.data()), 42);
}

TEST_F(GraphTest, FailedCallNamesItselfAndTheDriversError) {
  std::string message;
  try {
    const DeviceMemory too_much(std::size_t{1} << 60);
  } catch (const EnvironmentError& error) {
    message = error.what();
  }

  EXPECT_THAT(message, HasSubstr("cuMemAlloc failed with CUDA_ERROR_OUT_OF_MEMORY (2)"));
}

}  // namespace
}  // namespace gyre::cuda
