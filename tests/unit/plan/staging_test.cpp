#include "gyre/plan/staging.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "support/programs.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The names of the buffers of each staged fold of the program's only sweep.
std::vector<std::vector<std::string>> staged(const std::string& foreach) {
  const Plan plan =
      make_plan(passes::run_passes(support::parse_ok(R"(program p(n: size, nnz: size) {
  in    row: i32[n + 1], col: i32[nnz], val: f64[nnz], half: f16[nnz], x: f64[n]
  inout y: f64[n], z: f64[n], w: f64[nnz]
  out   total: f64
  )" + foreach + "\n}")));
  for (const Kernel& kernel : plan.kernels) {
    if (!kernel.sweep) continue;
    std::vector<std::vector<std::string>> names;
    for (const StagedFold& fold : staged_folds(plan, *kernel.sweep)) {
      auto& buffers = names.emplace_back();
      for (const ir::SymbolId buffer : fold.buffers) buffers.push_back(plan[buffer].name);
    }
    return names;
  }
  ADD_FAILURE() << "there is no sweep";
  return {};
}

TEST(Staging, BringsWhatTheTermsOfNeighbouringRowsRead) {
  EXPECT_THAT(
      staged("foreach i in 0..n { y[i] = sum(k in row[i]..row[i + 1]) val[k] * x[col[k]] }"),
      ElementsAre(ElementsAre("val", "col")));
}

TEST(Staging, TakesASweepThatFeedsAFoldOfItsOwn) {
  EXPECT_THAT(staged("foreach i in 0..n { total += 2.0 * sum(k in row[i]..row[i + 1]) val[k] }"),
              ElementsAre(ElementsAre("val")));
}

TEST(Staging, LeavesRowsAloneThatDoNotFollowEachOther) {
  for (const char* range : {"row[i]..row[i] + 8", "row[i]..row[i + 1] step 2", "i..row[i + 1]",
                            "row[n - i - 1]..row[n - i]"}) {
    EXPECT_THAT(staged("foreach i in 0..n { y[i] = sum(k in " + std::string(range) + ") val[k] }"),
                IsEmpty())
        << range;
  }
  EXPECT_THAT(staged("foreach i in 0..n step 2 { y[i] = sum(k in row[i]..row[i + 1]) val[k] }"),
              IsEmpty());
}

TEST(Staging, LeavesFoldsAloneThatNotEveryPointEvaluates) {
  EXPECT_THAT(
      staged("foreach i in 0..n { if x[i] > 0.0 { y[i] = sum(k in row[i]..row[i + 1]) val[k] } }"),
      IsEmpty());
  EXPECT_THAT(staged("foreach i in 0..n { y[i] = select(x[i] > 0.0, sum(k in row[i]..row[i + 1]) "
                     "val[k], 0.0) }"),
              IsEmpty());
}

TEST(Staging, BringsNothingThatATermMayPassBy) {
  EXPECT_THAT(staged("foreach i in 0..n { y[i] = sum(k in row[i]..row[i + 1]) "
                     "select(col[k] > 2, val[k], 0.0) }"),
              ElementsAre(ElementsAre("col")));
}

TEST(Staging, BringsNothingNarrow) {
  EXPECT_THAT(staged("foreach i in 0..n { y[i] = sum(k in row[i]..row[i + 1]) f64(half[k]) }"),
              IsEmpty());
}

TEST(Staging, LeavesFoldsAloneThatDependOnWhatAPointHasDone) {
  EXPECT_THAT(staged("foreach i in 0..n { let t = x[i] * 2.0\n"
                     "y[i] = sum(k in row[i]..row[i + 1]) val[k] * t }"),
              IsEmpty());
  EXPECT_THAT(staged("foreach i in 0..n { z[i] = x[i]\n"
                     "y[i] = sum(k in row[i]..row[i + 1]) val[k] * z[i] }"),
              IsEmpty());
}

}  // namespace
}  // namespace gyre::plan
