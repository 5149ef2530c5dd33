#include "gyre/plan/teams.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "support/programs.hpp"

#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

using ir::Team;

Plan team_plan(const std::string& foreach) {
  return make_plan(passes::run_passes(support::parse_ok(R"(program p(n: size, m: size) {
  in a: f64[n, m], x: f64[m]
  inout y: f64[n], b: f64[n, m]
  out z: f64[n], c: f64[n, m], total: f64
  )" + foreach + "\n}")));
}

const Sweep& sweep_of(const Plan& plan) {
  for (const Kernel& kernel : plan.kernels) {
    if (kernel.sweep) return *kernel.sweep;
  }
  throw std::logic_error("there is no sweep");
}

bool may_share(const std::string& foreach) {
  const Plan plan = team_plan(foreach);
  return may_share_points(plan, sweep_of(plan));
}

std::set<std::string> met(const std::string& body) {
  const Plan plan = team_plan("foreach i in 0..n team block {" + body + "}");
  std::set<std::string> names;
  for (const ir::SymbolId buffer : met_by_team(plan, sweep_of(plan))) {
    names.insert(plan[buffer].name);
  }
  return names;
}

TEST(Teams, ShareAPointThatFolds) {
  EXPECT_TRUE(may_share("foreach i in 0..n { z[i] = sum(j in 0..m) a[i, j] * x[j] }"));
  EXPECT_TRUE(may_share("foreach i in 0..n { if any(j in 0..m) (a[i, j] > 0.0) { z[i] = 1 } }"));
  EXPECT_FALSE(may_share("foreach i in 0..n { z[i] = a[i, 0] }"));
}

TEST(Teams, LeaveASweepAloneThatFeedsAFoldOfItsOwn) {
  EXPECT_FALSE(may_share("foreach i in 0..n { total += sum(j in 0..m) a[i, j] }"));
}

TEST(Teams, LeaveASweepAloneThatReadsWhatItStores) {
  EXPECT_FALSE(may_share("foreach i in 0..n { y[i] += sum(j in 0..m) a[i, j] }"));
}

TEST(Teams, ThatAreAskedForReadWhatTheyStoreAndRunAnInnerForeach) {
  EXPECT_TRUE(may_share("foreach i in 0..n team block { y[i] += sum(j in 0..m) a[i, j] }"));
  EXPECT_TRUE(may_share("foreach i in 0..n team warp { foreach j in 0..m { b[i, j] = a[i, j] } }"));
  EXPECT_TRUE(may_share(
      "foreach i in 0..n team warp { while b[i, 0] < 1 { foreach j in 0..m { b[i, j] += 1 } } }"));
  EXPECT_FALSE(may_share("foreach i in 0..n team warp { y[i] = 2 * x[0] }"));
  EXPECT_FALSE(may_share("foreach i in 0..n team warp { total += sum(j in 0..m) a[i, j] }"));
}

TEST(Teams, LeaveAnIndexToAThreadWhereOneOfThemCouldEndAlone) {
  EXPECT_FALSE(may_share(
      "foreach i in 0..n team warp { foreach j in 0..m { while b[i, j] < 1 { b[i, j] += 1 } } }"));
  EXPECT_FALSE(
      may_share("in k: i64; foreach i in 0..n team warp { foreach j in 0..m {"
                " for l in 0..3 step k { b[i, j] += 1 } } }"));
}

TEST(Teams, MeetAroundStoresOfWhatIsLoadedToo) {
  using Names = std::set<std::string>;
  EXPECT_EQ(met("foreach j in 0..m { b[i, j] += 1 }"), Names{"b"});
  EXPECT_EQ(met("y[i] += sum(j in 0..m) a[i, j]; z[i] = 1"), Names{"y"});
}

TEST(Teams, MeetWhereOneThreadMayStoreAnElementBehindAnother) {
  using Names = std::set<std::string>;
  EXPECT_EQ(met("foreach j in 0..m { c[i, j] = 1 }; foreach j in 1..m { c[i, j] = 2 }"),
            Names{"c"});
  EXPECT_EQ(met("foreach j in 0..m { c[i, j] = 1 }; c[i, 5] = 2"), Names{"c"});
  EXPECT_EQ(met("for k in 0..3 { foreach j in i64(k)..m { c[i, j] = f64(k) } }"), Names{"c"});
  EXPECT_EQ(met("var k: i64; while k < 3 { foreach j in k..m { c[i, j] = 1 }; k += 1 }"),
            Names{"c"});
}

TEST(Teams, DoNotMeetWhereEachElementHasOneThread) {
  using Names = std::set<std::string>;
  EXPECT_EQ(met("foreach j in 0..m { c[i, j] = 1 }; foreach j in 0..m { b[i, j] = 2 }"), Names{});
  EXPECT_EQ(met("foreach j in 0..m { for k in 0..3 { c[i, j] = f64(k) } }"), Names{});
  EXPECT_EQ(met("z[i] = sum(j in 0..m) a[i, j]; z[i] = 1"), Names{});
}

TEST(Teams, AreAsLargeAsAskedFor) {
  EXPECT_EQ(choose_lanes(Team::Warp, std::nullopt, std::nullopt), warp_lanes);
  EXPECT_EQ(choose_lanes(Team::Block, 1'000'000, 1), block_lanes);
}

constexpr std::size_t shared_of_an_h200 = 227 << 10;

TEST(Teams, StageFoldsFromEightTermsOn) {
  EXPECT_EQ(choose_stage(5, 12, shared_of_an_h200), 0u);
  EXPECT_EQ(choose_stage(27, 12, shared_of_an_h200), 32u * 29);
  EXPECT_EQ(choose_stage(300, 12, shared_of_an_h200), 0u);
  EXPECT_EQ(choose_stage(27, 0, shared_of_an_h200), 0u);
}

TEST(Teams, StageNoMoreThanTwoBlocksOfAMultiprocessorHaveRoomFor) {
  for (const std::size_t shared : {std::size_t{99} << 10, std::size_t{227} << 10}) {
    const unsigned elements = choose_stage(100, 12, shared);

    EXPECT_GT(elements, 100u);
    EXPECT_LT(elements * 12 * 8, shared / 2);
    EXPECT_EQ(elements % 4, 0u);
  }
  EXPECT_EQ(choose_stage(100, 12, 4096), 0u);
}

TEST(Teams, AreOneThreadForShortFoldsAndWhereNothingIsKnown) {
  EXPECT_EQ(choose_lanes(Team::Any, 1'000, 5), 1u);
  EXPECT_EQ(choose_lanes(Team::Any, 1'000'000, 27), 1u);
  EXPECT_EQ(choose_lanes(Team::Any, std::nullopt, std::nullopt), 1u);
  EXPECT_EQ(choose_lanes(Team::Any, 10, std::nullopt), 1u);
}

TEST(Teams, GrowWithTheLengthOfFoldsAndSoonerWherePointsAreFew) {
  EXPECT_EQ(choose_lanes(Team::Any, 1'000'000, 200), warp_lanes);
  EXPECT_EQ(choose_lanes(Team::Any, 1'000, 60), warp_lanes);
  EXPECT_EQ(choose_lanes(Team::Any, 1'000'000, 5'000), block_lanes);
  EXPECT_EQ(choose_lanes(Team::Any, 30, 600), block_lanes);
  EXPECT_EQ(choose_lanes(Team::Any, std::nullopt, 1'000'000), block_lanes);
}

}  // namespace
}  // namespace gyre::plan
