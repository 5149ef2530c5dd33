#include "gyre/cuda/body_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::cuda {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

NodeFacts node_of(CUgraphNodeType type) {
  NodeFacts node;
  node.type = type;
  return node;
}

NodeFacts kernel(std::string name) {
  NodeFacts node = node_of(CU_GRAPH_NODE_TYPE_KERNEL);
  node.function = std::move(name);
  return node;
}

TEST(BodyAudit, KernelsCopiesAndChildGraphsMayStandInABody) {
  for (const auto type :
       {CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_MEMSET,
        CU_GRAPH_NODE_TYPE_GRAPH, CU_GRAPH_NODE_TYPE_EMPTY}) {
    EXPECT_THAT(why_not_in_body(node_of(type)), IsEmpty()) << type;
  }
}

struct Refused {
  CUgraphNodeType type;
  const char* does;
  const char* instead;
};

TEST(BodyAudit, EachRefusedNodeIsSaidWithWhatToDoInstead) {
  const Refused table[] = {
      {CU_GRAPH_NODE_TYPE_HOST, "cudaLaunchHostFunc", "place the call on the host"},
      {CU_GRAPH_NODE_TYPE_MEM_ALLOC, "cudaMallocAsync", "the context's temporary"},
      {CU_GRAPH_NODE_TYPE_MEM_FREE, "cudaMallocAsync", "the context's temporary"},
      {CU_GRAPH_NODE_TYPE_WAIT_EVENT, "event of outside", "forked from the context's stream"},
      {CU_GRAPH_NODE_TYPE_EVENT_RECORD, "event of outside", "forked from the context's stream"},
      {CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, "external semaphore", "place the call on the host"},
      {CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, "external semaphore", "place the call on the host"},
      {CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, "cuStreamWaitValue", "place the call on the host"},
      {CU_GRAPH_NODE_TYPE_CONDITIONAL, "conditional nodes", "write its statements into"},
  };

  for (const Refused& row : table) {
    EXPECT_THAT(why_not_in_body(node_of(row.type)),
                AllOf(HasSubstr(row.does), HasSubstr(row.instead)))
        << row.type;
  }
}

TEST(BodyAudit, PageableCopyIsRefused) {
  NodeFacts copy = node_of(CU_GRAPH_NODE_TYPE_MEMCPY);
  copy.pageable = true;

  EXPECT_THAT(why_not_in_body(copy), HasSubstr("pageable host memory; pin it"));
}

TEST(BodyAudit, CopyOfAnArrayIsRefused) {
  NodeFacts copy = node_of(CU_GRAPH_NODE_TYPE_MEMCPY);
  copy.array = true;

  EXPECT_THAT(why_not_in_body(copy), HasSubstr("CUDA array"));
}

TEST(BodyAudit, CollectivesAreKnownByTheirKernels) {
  EXPECT_TRUE(is_collective("ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
  EXPECT_TRUE(is_collective("_Z40ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgs"));
  EXPECT_TRUE(is_collective("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t"));
  EXPECT_TRUE(is_collective("_Z42ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_tP10ncclDevComm"));
  EXPECT_FALSE(is_collective("my_ncclDevKernel"));
  EXPECT_FALSE(is_collective("_Z4axpyPfS_i"));
  EXPECT_FALSE(is_collective("_Z42"));
  EXPECT_FALSE(is_collective("nccl"));
  EXPECT_FALSE(is_collective(""));
}

TEST(BodyAudit, CollectiveIsRefusedByNameWithTheSplitOffered) {
  const auto reasons = audit_body({node_of(CU_GRAPH_NODE_TYPE_HOST), kernel("axpy"),
                                   kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL")});

  EXPECT_THAT(reasons,
              ElementsAre(AllOf(HasSubstr("ncclDevKernel_AllReduce_Sum_f32_RING_LL"),
                                HasSubstr("place the call on the host"), HasSubstr("split"))));
}

TEST(BodyAudit, OffencesOfOneKindAreOneReason) {
  const std::vector<NodeFacts> nodes(10, node_of(CU_GRAPH_NODE_TYPE_MEM_ALLOC));

  EXPECT_EQ(audit_body(nodes).size(), 1U);
}

TEST(BodyAudit, DifferentOffencesAreAllReported) {
  const auto reasons =
      audit_body({node_of(CU_GRAPH_NODE_TYPE_HOST), node_of(CU_GRAPH_NODE_TYPE_MEM_FREE)});

  EXPECT_THAT(reasons, ElementsAre(HasSubstr("host function"), HasSubstr("device memory")));
}

TEST(BodyAudit, ReasonsGoOnWithASentenceThatNamesTheCall) {
  for (int type = CU_GRAPH_NODE_TYPE_KERNEL; type <= CU_GRAPH_NODE_TYPE_CONDITIONAL; ++type) {
    NodeFacts node = node_of(static_cast<CUgraphNodeType>(type));
    node.pageable = true;
    node.function = "ncclDevKernel";
    const std::string why = why_not_in_body(node);
    if (why.empty()) continue;

    EXPECT_TRUE(std::islower(why.front()) != 0) << why;
    EXPECT_THAT(why, AllOf(HasSubstr("; "), Not(HasSubstr("."))));
  }
}

}  // namespace
}  // namespace gyre::cuda
