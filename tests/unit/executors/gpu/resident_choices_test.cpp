// Who runs a loop on an H200, by the table of costs that gyre brings: everywhere the quickest of
// the forms that bench/persistent_forms.cpp measured there, or within 5 % of it.
#include "../../../../src/executors/gpu/residence.hpp"
#include "hopper.hpp"
#include "support/cg_loop.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

constexpr const char* one_sweep = R"(program p(n: size) {
  in k: i32, place: i32[n]
  inout x: f64[n]
  temp y: f64[n]
  for t in 0..k {
    foreach i in 0..n { y[i] = 0.5 * (x[i] + x[place[i]]) }
    copy x = y
  }
})";

constexpr const char* two_sweeps = R"(program p(n: size) {
  in k: i32, place: i32[n]
  inout x: f64[n]
  temp y: f64[n]
  for t in 0..k {
    foreach i in 0..n { y[i] = x[i] + x[place[i]] }
    foreach i in 0..n { x[i] = 0.25 * (y[i] + y[place[i]]) }
  }
})";

constexpr const char* jacobi = R"(program p(n: size) {
  in k: i32, place: i32[n]
  inout x: f64[n]
  temp y: f64[n]
  var change: f64 = 1.0, t: i32 = 0
  while change >= 0.0 && t < k {
    foreach i in 0..n { y[i] = 0.5 * (x[i] + x[place[i]]) }
    change = max(i in 0..n) abs(y[i] - x[i])
    copy x = y
    t += 1
  }
})";

constexpr const char* levels = R"(program p(n: size, width: size) {
  in k: i32, place: i32[n]
  inout x: f64[n]
  for t in 0..k {
    foreach i in 0..width independent {
      let row = (i64(t) * width + i) % n
      scatter x[row] = 0.5 * (x[row] + x[place[(row + n / 2) % n]])
    }
  }
})";

// `other` is the second size of a program that has one.
Residents residents(const std::string& text, std::int64_t n, std::int64_t other) {
  const plan::Plan plan = plan_of_text(text);
  const ir::Bound bound =
      bound_by_sizes(plan, [&](const std::string& name) { return name == "n" ? n : other; });
  return find_residents(plan, bound, hopper(), plan::shipped_cost_table(), {});
}

std::string runner(const char* text, std::int64_t n, std::int64_t other = 0) {
  const auto shapes = residents(text, n, other).shapes;
  if (shapes.empty()) return "graph";
  switch (shapes.begin()->second.crew) {
    case jit::Crew::Block: return "block";
    case jit::Crew::Cluster: return "cluster";
    case jit::Crew::Grid: return "grid";
  }
  return "";
}

TEST(ResidentChoices, ConjugateGradientsOfFivePoints) {
  const auto of = [](std::int64_t n) { return runner(support::cg_loop, n, 5 * n); };

  for (const std::int64_t n : {256, 1024}) EXPECT_EQ(of(n), "block") << n;
  for (const std::int64_t n : {1089, 2025, 4096, 8100}) EXPECT_EQ(of(n), "cluster") << n;
  for (const std::int64_t n : {10000, 16384, 65536, 134689, 262144}) EXPECT_EQ(of(n), "grid") << n;
  for (const std::int64_t n : {1 << 20, 1 << 24}) EXPECT_EQ(of(n), "graph") << n;
}

TEST(ResidentChoices, ConjugateGradientsOfLongerRows) {
  EXPECT_EQ(runner(support::cg_loop, 1000, 7 * 1000), "block");
  EXPECT_EQ(runner(support::cg_loop, 4096, 7 * 4096), "cluster");
  EXPECT_EQ(runner(support::cg_loop, 8000, 7 * 8000), "cluster");
  EXPECT_EQ(runner(support::cg_loop, 1 << 18, 7 << 18), "grid");
  EXPECT_EQ(runner(support::cg_loop, 512, 27 * 512), "block");
  EXPECT_EQ(runner(support::cg_loop, 1000, 27 * 1000), "cluster");
  EXPECT_EQ(runner(support::cg_loop, 4096, 27 * 4096), "cluster");
  EXPECT_EQ(runner(support::cg_loop, 1 << 18, 27 << 18), "graph") << "103 us by a grid";
}

TEST(ResidentChoices, LoopsThatFoldNothing) {
  for (const std::int64_t n : {256, 1024, 2048}) {
    EXPECT_EQ(runner(one_sweep, n), "block") << n;
    EXPECT_EQ(runner(two_sweeps, n), "block") << n;
  }
  EXPECT_EQ(runner(one_sweep, 4096), "cluster");
  EXPECT_EQ(runner(two_sweeps, 4096), "cluster");
  EXPECT_EQ(runner(one_sweep, 16384), "graph") << "whose buffers change places";
  EXPECT_EQ(runner(two_sweeps, 16384), "grid");
  for (const std::int64_t n : {65536, 131072}) {
    EXPECT_EQ(runner(one_sweep, n), "graph") << n;
    EXPECT_EQ(runner(two_sweeps, n), "grid") << n;
  }
}

TEST(ResidentChoices, ASweepThatFoldsWhatItChanged) {
  for (const std::int64_t n : {256, 1024, 2048}) EXPECT_EQ(runner(jacobi, n), "block") << n;
  for (const std::int64_t n : {4096, 16384}) EXPECT_EQ(runner(jacobi, n), "cluster") << n;
  for (const std::int64_t n : {65536, 131072}) EXPECT_EQ(runner(jacobi, n), "grid") << n;
}

// Of triangular solves a block was the quickest for levels of up to 1,024 rows, which take turns in
// a buffer of any size.
TEST(ResidentChoices, LevelsThatGoThroughALargeBuffer) {
  for (const std::int64_t n : {1 << 10, 1 << 16, 1 << 20}) {
    for (const std::int64_t width : {8, 32, 256, 1024}) {
      EXPECT_EQ(runner(levels, n, width), "block") << n << " by " << width;
    }
  }
}

TEST(ResidentChoices, LevelsWithinALargeLoopHaveABlockOfTheirOwn) {
  const std::string text = R"(program p(n: size, width: size) {
  in k: i32, place: i32[n]
  inout x: f64[n], y: f64[n]
  for t in 0..k {
    foreach i in 0..n { y[i] = x[place[i]] }
    for l in 0..1000 {
      foreach i in 0..width independent {
        let row = (i64(l) * width + i) % n
        scatter x[row] = 0.5 * (x[row] + y[place[row]])
      }
    }
  }
})";

  const Residents found = residents(text, 65536, 64);

  EXPECT_EQ(found.declined.size(), 1u) << "the loop around them";
  ASSERT_EQ(found.shapes.size(), 1u);
  EXPECT_EQ(found.shapes.begin()->second.crew, jit::Crew::Block);
}

// Each loop is priced once, though those around it ask for its price.
TEST(ResidentChoices, LoopsInManyLoopsArePricedOnceEach) {
  constexpr int depth = 30;
  std::string text =
      "program p(n: size) {\n  in k: i32, place: i32[n]\n  inout x: f64[n]\n  temp y: f64[n]\n";
  for (int i = 0; i < depth; ++i) {
    text += "for i" + std::to_string(i) + " in 0..k {\nforeach j in 0..n { y[j] = x[place[j]] }\n";
  }
  text += "foreach j in 0..n { x[j] = y[place[j]] }\n";
  for (int i = 0; i < depth; ++i) text += "}\n";

  EXPECT_EQ(residents(text + "}", 1 << 20, 0).declined.size(), std::size_t{depth});
}

}  // namespace
}  // namespace gyre::executors
