#include "gyre/cuda/body_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

NodeFacts node_of(CUgraphNodeType type) {
  NodeFacts node;
  node.type = type;
  return node;
}

TEST(BodyAudit, KernelsCopiesAndNestingMayStandInABody) {
  for (const auto type :
       {CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_MEMSET,
        CU_GRAPH_NODE_TYPE_GRAPH, CU_GRAPH_NODE_TYPE_EMPTY, CU_GRAPH_NODE_TYPE_CONDITIONAL}) {
    EXPECT_THAT(why_not_in_body(node_of(type)), IsEmpty()) << type;
  }
}

TEST(BodyAudit, HostFunctionIsNamed) {
  EXPECT_THAT(why_not_in_body(node_of(CU_GRAPH_NODE_TYPE_HOST)), HasSubstr("cudaLaunchHostFunc"));
}

TEST(BodyAudit, AllocationPointsToTheArena) {
  const auto sentences = audit_body({node_of(CU_GRAPH_NODE_TYPE_MEM_ALLOC)}, "spmv", "cg/while#0");

  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_THAT(sentences[0], StartsWith("the call `spmv` in cg/while#0 allocates"));
  EXPECT_THAT(sentences[0], HasSubstr("cudaMallocAsync"));
  EXPECT_THAT(sentences[0], HasSubstr("arena"));
}

TEST(BodyAudit, PageableCopyIsRefusedAndPinnedIsNot) {
  NodeFacts copy = node_of(CU_GRAPH_NODE_TYPE_MEMCPY);
  copy.pageable = true;

  EXPECT_THAT(why_not_in_body(copy), HasSubstr("pageable host memory; pin it"));
}

TEST(BodyAudit, ExternalEventPointsToStreams) {
  for (const auto type : {CU_GRAPH_NODE_TYPE_WAIT_EVENT, CU_GRAPH_NODE_TYPE_EVENT_RECORD}) {
    EXPECT_THAT(why_not_in_body(node_of(type)), HasSubstr("event of outside")) << type;
  }
}

TEST(BodyAudit, ConditionalsInsideAChildGraphAreRefused) {
  NodeFacts nested = node_of(CU_GRAPH_NODE_TYPE_CONDITIONAL);
  nested.in_child_graph = true;

  EXPECT_THAT(why_not_in_body(nested), HasSubstr("child graph"));
}

TEST(BodyAudit, OffencesOfOneKindAreOneSentence) {
  const std::vector<NodeFacts> nodes(10, node_of(CU_GRAPH_NODE_TYPE_MEM_ALLOC));

  EXPECT_EQ(audit_body(nodes, "gemm", "forward/if#0").size(), 1U);
}

TEST(BodyAudit, DifferentOffencesAreAllReported) {
  const auto sentences = audit_body(
      {node_of(CU_GRAPH_NODE_TYPE_HOST), node_of(CU_GRAPH_NODE_TYPE_MEM_FREE)}, "step", "p/for#0");

  EXPECT_THAT(sentences, ElementsAre(HasSubstr("host function"), HasSubstr("device memory")));
}

}  // namespace
}  // namespace gyre::cuda
