#include "../../../../src/executors/gpu/grid.hpp"

#include "../../../../src/executors/gpu/sharing.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "support/programs.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

struct Grid {
  unsigned blocks = 1;
  unsigned lanes = 1;
  bool long_folds = false;

  friend bool operator==(const Grid&, const Grid&) = default;
};

/// Calls `visit` on the program's only sweep. Its buffers have no memory.
void with_sweep(
    const std::string& body, const std::map<std::string, std::int64_t>& sizes,
    const std::function<void(const plan::Plan&, const plan::Kernel&, const ir::Bound&)>& visit) {
  const plan::Plan plan = plan::make_plan(
      passes::run_passes(support::parse_ok("program p(n: size, m: size, nnz: size) {\n  in row: "
                                           "i32[n + 1], val: f64[nnz], a: f64[n, m], "
                                           "k: i64\n  out y: f64[n], s: f64\n  " +
                                           body + "\n}")));
  ir::Bound bound;
  for (const ir::Symbol& symbol : plan.symbols) {
    const bool is_size = symbol.kind == ir::SymbolKind::Size;
    bound.values.emplace_back(is_size ? sizes.at(symbol.name) : std::int64_t{0});
    bound.buffers.push_back({symbol.type, {symbol.name == "val" ? sizes.at("nnz") : 0}, nullptr});
  }
  for (const plan::Kernel& kernel : plan.kernels) {
    if (kernel.sweep) return visit(plan, kernel, bound);
  }
  ADD_FAILURE() << "there is no sweep";
}

Grid grid_for(const std::string& body, const std::map<std::string, std::int64_t>& sizes) {
  Grid grid;
  with_sweep(body, sizes, [&](const auto& plan, const auto& kernel, const auto& bound) {
    const Sharing sharing = choose_sharing(plan, *kernel.sweep, bound);
    grid = {blocks_of(plan, kernel, bound, sharing.lanes), sharing.lanes,
            sharing.form != jit::FoldForm::Short};
  });
  return grid;
}

Sharing sharing_for(const std::string& body, const std::map<std::string, std::int64_t>& sizes,
                    const StageRoom& room) {
  Sharing sharing;
  with_sweep(body, sizes, [&](const auto& plan, const auto& kernel, const auto& bound) {
    sharing = choose_sharing(plan, *kernel.sweep, bound, room);
  });
  return sharing;
}

constexpr const char* rows = "foreach i in 0..n { y[i] = sum(e in row[i]..row[i + 1]) val[e] }";

// As the rows of slices are stored.
TEST(Grid, TellsLongFoldsByWhatIsReadAlongTheirIndex) {
  const std::string strided = "foreach i in 0..n { y[i] = sum(e in 0..row[i]) val[i + e * 32] }";
  const std::string gathering = "foreach i in 0..n { y[i] = sum(e in 0..row[i]) val[row[e]] }";
  const auto is_long = [](const std::string& body, std::int64_t nnz) {
    return sharing_for(body, {{"n", 100'000}, {"m", 1}, {"nnz", nnz}}, {}).form ==
           jit::FoldForm::Long;
  };

  EXPECT_FALSE(is_long(strided, 500'000));
  EXPECT_TRUE(is_long(strided, 2'000'000));
  EXPECT_FALSE(is_long(gathering, 2'000'000));
}

TEST(Grid, HasAThreadForEachPointUpToTheMostStrands) {
  const std::string body = "foreach i in 0..n { y[i] = a[i, 0] }";

  EXPECT_EQ(grid_for(body, {{"n", 0}, {"m", 1}, {"nnz", 0}}), (Grid{1, 1}));
  EXPECT_EQ(grid_for(body, {{"n", 1000}, {"m", 1}, {"nnz", 0}}), (Grid{4, 1}));
  EXPECT_EQ(grid_for(body, {{"n", 1 << 30}, {"m", 1}, {"nnz", 0}}), (Grid{1024, 1}));
}

TEST(Grid, IsTheLargestWhereOnlyTheRunKnowsTheExtent) {
  EXPECT_EQ(grid_for("foreach i in 0..k { y[i] = 1 }", {{"n", 8}, {"m", 1}, {"nnz", 0}}),
            (Grid{1024, 1}));
}

TEST(Grid, SharesRowsByTheirAverageLength) {
  EXPECT_EQ(grid_for(rows, {{"n", 100'000}, {"m", 1}, {"nnz", 500'000}}), (Grid{391, 1}));
  EXPECT_EQ(grid_for(rows, {{"n", 5'000}, {"m", 1}, {"nnz", 1'000'000}}), (Grid{625, 32, true}));
  EXPECT_EQ(grid_for(rows, {{"n", 100}, {"m", 1}, {"nnz", 1'000'000}}), (Grid{100, 256, true}));
  EXPECT_EQ(grid_for(rows, {{"n", 0}, {"m", 1}, {"nnz", 0}}), (Grid{1, 1}));
}

TEST(Grid, SharesFoldsWhoseRangesAreSizes) {
  const std::string body = "foreach i in 0..n { y[i] = sum(j in 0..m) a[i, j] }";

  EXPECT_EQ(grid_for(body, {{"n", 30}, {"m", 1'000'000}, {"nnz", 0}}), (Grid{30, 256, true}));
  EXPECT_EQ(grid_for(body, {{"n", 30}, {"m", 4}, {"nnz", 0}}), (Grid{1, 1}));
  EXPECT_EQ(grid_for("foreach i in 0..k { y[i] = sum(j in 0..m) a[i, j] }",
                     {{"n", 30}, {"m", 1'000'000}, {"nnz", 0}}),
            (Grid{1024, 256, true}));
}

TEST(Grid, GuessesNothingFromBoundsThatDifferFromPointToPoint) {
  const std::map<std::string, std::int64_t> sizes = {{"n", 8}, {"m", 1'000'000}, {"nnz", 0}};
  for (const char* body :
       {"foreach i in 0..n { y[i] = sum(j in 0..i) a[i, j] }",
        "foreach i in 0..n { let l = i + i; y[i] = sum(j in l..m) a[i, j] }",
        "foreach i in 0..n { y[i] = sum(j in 0..count(l in 0..3) (true)) 1.0 }"}) {
    EXPECT_EQ(grid_for(body, sizes).blocks, 1u) << body;
  }
}

TEST(Grid, TakesTheFormForLongFoldsFromEightTermsOn) {
  EXPECT_FALSE(grid_for(rows, {{"n", 100'000}, {"m", 1}, {"nnz", 500'000}}).long_folds);
  EXPECT_TRUE(grid_for(rows, {{"n", 100'000}, {"m", 1}, {"nnz", 2'700'000}}).long_folds);
}

TEST(Grid, StagesRowsWhereTheKernelCan) {
  const StageRoom room{8, 227 << 10};

  EXPECT_EQ(sharing_for(rows, {{"n", 100'000}, {"m", 1}, {"nnz", 2'700'000}}, room),
            (Sharing{1, jit::FoldForm::Staged, 32 * 29}));
  EXPECT_EQ(sharing_for(rows, {{"n", 100'000}, {"m", 1}, {"nnz", 500'000}}, room).form,
            jit::FoldForm::Short);
  EXPECT_EQ(sharing_for(rows, {{"n", 5'000}, {"m", 1}, {"nnz", 1'000'000}}, room).form,
            jit::FoldForm::Long);
}

TEST(Grid, DoesAsTheProgramSays) {
  const std::string body = "foreach i in 0..n team warp { y[i] = sum(j in 0..m) a[i, j] }";

  EXPECT_EQ(grid_for(body, {{"n", 80}, {"m", 4}, {"nnz", 0}}), (Grid{10, 32, false}));
}

TEST(Grid, GivesPointsThatFeedAFoldAThreadEach) {
  EXPECT_EQ(grid_for("foreach i in 0..n team block { s += sum(j in 0..m) a[i, j] }",
                     {{"n", 300}, {"m", 1'000'000}, {"nnz", 0}}),
            (Grid{2, 1, true}));
}

}  // namespace
}  // namespace gyre::executors
