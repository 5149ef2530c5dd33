#include "gyre/cuda/capture.hpp"

#include "gpu_test.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/body_audit.hpp"
#include "gyre/cuda/event.hpp"

#include <gmock/gmock.h>

namespace gyre::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CaptureTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (!facts_.has_conditional_nodes()) GTEST_SKIP() << "capture into a graph needs CUDA 12.4";
  }

  void launch_add(const Module& module, CUdeviceptr cell, long long value,
                  StreamView stream) const {
    void* arguments[] = {&cell, &value};
    module.function("add").launch({}, arguments, stream);
  }
};

TEST_F(CaptureTest, RecordedWorkFollowsItsDependencies) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(1);
  const Graph graph("captured");
  const auto first = add_kernel(graph.view(), module.function("store"), {}, cells.address(), 5LL);

  Capture capture(*stream_, graph.view(), {{{first}}});
  launch_add(module, cells.address(), 2, *stream_);
  const auto last = capture.end();
  add_kernel(graph.view(), module.function("add"), last, cells.address(), 10LL);
  run(graph);

  EXPECT_THAT(read(cells), ElementsAre(17));
}

TEST_F(CaptureTest, ForkAndJoinStandInABody) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(2);
  const Graph graph("fork");
  const auto handle = graph.view().make_handle(1);
  const auto node = graph.view().add_conditional("if", ConditionalKind::If, handle, 1, {});
  const Stream side;
  const Event fork;
  const Event join;

  Capture capture(*stream_, node.bodies[0], {});
  fork.record(*stream_);
  side.view().wait(fork.get());
  launch_add(module, cells.address(), 1, *stream_);
  launch_add(module, cells.address() + 8, 1, side);
  join.record(side);
  stream_->view().wait(join.get());
  capture.end();
  run(graph);

  EXPECT_THAT(read(cells), ElementsAre(1, 1));
}

TEST_F(CaptureTest, ForgottenJoinIsOneSentenceAndTheStreamStaysUsable) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(1);
  std::string message;
  {
    const Graph graph("unjoined");
    const Stream side;
    const Event fork;
    try {
      Capture capture(*stream_, graph.view(), {});
      fork.record(*stream_);
      side.view().wait(fork.get());
      launch_add(module, cells.address(), 1, side);
      capture.end();
    } catch (const EnvironmentError& error) {
      message = error.what();
    }
  }
  launch_add(module, cells.address(), 3, *stream_);

  EXPECT_THAT(message, HasSubstr("not joined back"));
  EXPECT_THAT(read(cells), ElementsAre(3));
}

TEST_F(CaptureTest, AbandonedCaptureLeavesTheStreamUsable) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(1);
  const Graph graph("abandoned");
  { const Capture capture(*stream_, graph.view(), {}); }

  launch_add(module, cells.address(), 3, *stream_);

  EXPECT_THAT(read(cells), ElementsAre(3));
}

TEST_F(CaptureTest, ConditionalNodesJoinACallersCapture) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(1);
  const Graph callers("callers");
  EXPECT_FALSE(live_capture(*stream_).has_value());

  Capture capture(*stream_, callers.view(), {});
  launch_add(module, cells.address(), 1, *stream_);
  const auto live = live_capture(*stream_);
  ASSERT_TRUE(live.has_value());
  const GraphView joined(live->graph, callers.view().names());
  const auto handle = joined.make_handle(1);
  const auto node = joined.add_conditional("if", ConditionalKind::If, handle, 1, live->last);
  add_kernel(node.bodies[0], module.function("add"), {}, cells.address(), 10LL);
  continue_capture(*stream_, {{{node.node}}});
  launch_add(module, cells.address(), 100, *stream_);
  capture.end();
  run(callers);

  EXPECT_THAT(read(cells), ElementsAre(111));
}

TEST_F(CaptureTest, AuditFindsAPageableCopyAndPassesAPinnedOne) {
  const DeviceMemory cells = make_cells(1);
  const PinnedMemory pinned(8);
  std::vector<std::int64_t> pageable(1);
  const auto audit_of_copy_to = [&](void* target) {
    const Graph graph("copy");
    Capture capture(*stream_, graph.view(), {});
    copy_to_host(target, cells, 8, *stream_);
    capture.end();
    return audit_body(read_nodes(graph.get()));
  };

  EXPECT_THAT(audit_of_copy_to(pinned.data()), ElementsAre());
  EXPECT_THAT(audit_of_copy_to(pageable.data()), ElementsAre(HasSubstr("pageable")));
}

TEST_F(CaptureTest, NodesKnowTheirKernels) {
  const Module module = load_kernels();
  const DeviceMemory cells = make_cells(1);
  const Graph graph("named");
  add_kernel(graph.view(), module.function("add"), {}, cells.address(), 1LL);

  const auto nodes = read_nodes(graph.get());

  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_EQ(nodes[0].type, CU_GRAPH_NODE_TYPE_KERNEL);
  EXPECT_EQ(nodes[0].function, "add");
}

}  // namespace
}  // namespace gyre::cuda
