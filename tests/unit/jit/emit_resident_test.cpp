#include "emitted.hpp"
#include "support/programs.hpp"
#include "support/random_program.hpp"
#include "support/resident_shapes.hpp"
#include "support/words.hpp"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

plan::Plan fused_plan_of(const std::string& text) {
  return plan_of_text(text, plan::all_steps);
}

EmittedModule emit_resident(const plan::Plan& plan, Crew crew = Crew::Block) {
  return emit_module(plan, {.resident = support::resident_shapes(plan, crew)});
}

// From the start of the loop's function.
std::string loop_of(const EmittedModule& module) {
  return module.source.substr(module.source.find(", the whole loop"));
}

using support::count_of;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

plan::Plan cg() {
  return fused_plan_of(support::read_file(support::in_repository("samples/programs/cg.gyre")));
}

TEST(EmitResident, ALoopIsOneKernelAndOneStep) {
  const plan::Plan plan = fused_plan_of(R"(program p() {
  out n: i32
  while n < 3 { n += 1 }
})");

  const EmittedModule module = emit_resident(plan);

  EXPECT_TRUE(holds(module.source, "while (crew.goes_on(entry0, home.holds"));
  EXPECT_FALSE(holds(module.source, "cudaGraphSetConditional(decision"));
  for (const Step& step : module.steps) EXPECT_TRUE(step.kernel.has_value());
}

TEST(EmitResident, InnerLoopsAndBranchesArePlainCode) {
  const plan::Plan plan = fused_plan_of(R"(program p(n: size) {
  inout x: f64[n]
  in k: i32
  for i in 0..k {
    if i == 1 { foreach j in 0..n { x[j] += 1.0 } } else { x[0] = 2.0 }
    switch i {
      case 2 { x[1] = 3.0 }
      case 3..9 { for m in 0..i { x[2] = 4.0 } }
    }
  }
})");

  const std::string loop = loop_of(emit_resident(plan));

  EXPECT_EQ(count_of(loop, "while (crew.goes_on("), 2u);
  EXPECT_EQ(count_of(loop, "switch (gyre::case_of("), 1u);
  EXPECT_EQ(count_of(loop, "} else {"), 1u);
}

TEST(EmitResident, ThreadsMeetOnlyWhereOneNeedsWhatAnotherWrote) {
  // Behind the products of q, and behind those of r; before a trip they meet in any case.
  const std::string loop = loop_of(emit_resident(cg()));
  const std::string trips = loop.substr(0, loop.find("}();"));

  EXPECT_EQ(count_of(trips, "crew.meet();"), 2u);
}

TEST(EmitResident, WhatEachThreadOwnsLiesInRegistersAndTheRestInSharedMemory) {
  const std::string loop = loop_of(emit_resident(cg()));

  EXPECT_TRUE(holds(loop, "double* p = chip.keep(p_memory, n);"));
  EXPECT_TRUE(holds(loop, "double r[2];"));
  EXPECT_TRUE(holds(loop, "x[own] = x[own] + (alpha * p[i"));
  EXPECT_TRUE(holds(loop, "x_memory[i] = x[own];"));
  EXPECT_FALSE(holds(loop, "crew.copy(val_memory"));
}

TEST(EmitResident, WhatNothingReadsLaterIsNotGivenBack) {
  const plan::Plan plan = fused_plan_of(R"(program p(n: size) {
  inout x: f64[n]
  while x[0] < 9.0 {
    temp t: f64[n]
    foreach i in 0..n { t[i] = x[n - 1 - i] }
    foreach i in 0..n { x[i] = t[n - 1 - i] + 1.0 }
  }
})");

  const std::string loop = loop_of(emit_resident(plan));

  EXPECT_TRUE(holds(loop, "crew.copy(x_memory, x, n);"));
  EXPECT_FALSE(holds(loop, "crew.copy(t_memory"));
}

TEST(EmitResident, ABranchBehindALoopIsDecidedByAKernelOfItsOwn) {
  const plan::Plan plan = fused_plan_of(R"(program p(n: size) {
  inout x: f64[n]
  out i: i32
  while i < 3 { i += 1 }
  if i > 2 { foreach j in 0..n independent { x[j] = 1.0 } }
})");

  const EmittedModule module = emit_resident(plan);

  EXPECT_FALSE(holds(loop_of(module).substr(0, loop_of(module).find("\n}\n")), "choose_arm"));
  EXPECT_TRUE(holds(module.source, "gyre::choose_arm"));
}

TEST(EmitResident, WhatEndsTheLaunchLeavesAllLoops) {
  const plan::Plan plan = fused_plan_of(R"(program p(n: size) {
  inout x: f64[n]
  in k: i32
  for i in 0..k {
    if x[0] > 2.0 { stop "large", i }
    foreach j in 0..n { while x[j] < 1.0 { x[j] += 0.5 } }
  }
})");

  const std::string loop = loop_of(emit_resident(plan));

  EXPECT_TRUE(holds(loop, "crew.stop("));
  EXPECT_TRUE(holds(loop, "if (crew.has_ended()) return;"));
  EXPECT_TRUE(holds(loop, "if (crew.has_failed()) return;"));
}

TEST(EmitResident, AGridKeepsTheRowsOfItsPoints) {
  const std::string loop = loop_of(emit_resident(cg(), Crew::Grid));

  EXPECT_TRUE(holds(loop, "row0[own] = {row[i"));
  EXPECT_TRUE(holds(loop, "const auto kept0 = rows0.keep(chip, val, room0);"));
  EXPECT_TRUE(holds(loop, "const double fold0 = rows0.has(own)"));
  EXPECT_TRUE(holds(loop, "return kept0[k] * p[kept1[k]];"));
  EXPECT_TRUE(holds(loop, "gyre::own_point<128, 2>(own)"));
}

TEST(EmitResident, BoundsThatLieInSharedMemoryAreReadBehindABarrier) {
  const plan::Plan plan = cg();
  auto shapes = support::resident_shapes(plan, Crew::Cluster);
  ASSERT_FALSE(shapes.at(0).rows.empty());
  ASSERT_FALSE(shapes.at(0).shared.empty());

  const std::string loop = loop_of(emit_module(plan, {.resident = shapes}));

  const auto brought = loop.find("row = chip.keep(row_memory");
  const auto read = loop.find("row0[own] = {row[i");
  ASSERT_NE(brought, std::string::npos);
  const auto barrier = loop.find("__syncthreads();", brought);
  EXPECT_LT(barrier, read);
}

TEST(EmitResident, OwnersHaveACopyInRegistersOfWhatOthersLookAt) {
  const std::string loop = loop_of(emit_resident(cg(), Crew::Grid));

  EXPECT_TRUE(holds(loop, "double p_own[2];"));
  EXPECT_TRUE(holds(loop, "] = p_own[own] = r[own] + (beta * p_own[own]);"));
}

// Rows come first in a point: one that ends before its folds would read what the program does not.
TEST(EmitResident, RowsOfPointsThatMayEndEarlyAreNotKept) {
  const std::string loop = loop_of(emit_resident(fused_plan_of(R"(program p(n: size, nnz: size) {
  in row: i32[n + 1], val: f64[nnz], x: f64[n], k: i32
  inout y: f64[n]
  for t in 0..k {
    foreach i in 0..n {
      var v: f64 = x[i]
      while v > 1.0 limit 10 { v = v * 0.99 }
      y[i] = v * sum(e in row[i]..row[i + 1]) val[e]
    }
  }
})"),
                                                 Crew::Grid));

  EXPECT_FALSE(holds(loop, "OwnRows"));
}

TEST(EmitResident, FoldsOverRowsThatAreKeptAreNotMadeTogetherAgain) {
  const std::string loop = loop_of(emit_resident(fused_plan_of(R"(program p(n: size, nnz: size) {
  in row: i32[n + 1], val: f64[nnz], k: i32
  inout y: f64[n], z: f64[n]
  for t in 0..k {
    foreach i in 0..n {
      y[i] = sum(e in row[i]..row[i + 1]) (val[e] * y[i])
      z[i] = sum(e in row[i]..row[i + 1]) (val[e] * val[e])
    }
  }
})"),
                                                 Crew::Grid));

  EXPECT_FALSE(holds(loop, "gyre::Both<"));
}

TEST(EmitResident, NamesOfAProgramAreNotThoseOfTheText) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  const plan::Plan plan = fused_plan_of(R"(program p(n: size, nnz: size) {
  in row: i32[n + 1], kept0: i32[nnz], heads0: f64[nnz], room0: i32, rows0: f64
  inout x: f64[n], x_own: f64[n]
  for t in 0..room0 {
    foreach i in 0..n { x_own[i] = sum(e in row[i]..row[i + 1]) heads0[e] * x[kept0[e]] }
    foreach i in 0..n { x[i] = rows0 * x_own[i] + x[i] }
  }
})");

  EXPECT_TRUE(compiles(plan, {.resident = support::resident_shapes(plan, Crew::Grid)}));
}

TEST(EmitResident, WhatTheLoopStoresIsNotKeptByRows) {
  const std::string loop = loop_of(emit_resident(fused_plan_of(R"(program p(n: size, nnz: size) {
  in row: i32[n + 1], k: i32
  inout x: f64[n], val: f64[nnz]
  temp y: f64[n]
  for t in 0..k {
    foreach i in 0..n { y[i] = sum(e in row[i]..row[i + 1]) val[e] * x[i] }
    foreach i in 0..n { x[i] = 0.5 * y[i] }
    foreach e in 0..nnz { val[e] = 0.5 * val[e] }
  }
})"),
                                                 Crew::Grid));

  EXPECT_FALSE(holds(loop, "OwnRows"));
}

TEST(EmitResident, AGridGoesOverItsPointsInRounds) {
  const EmittedModule module =
      emit_module(cg(), {.resident = {{0, {.crew = Crew::Grid, .threads = 256, .points = 0}}}});
  const std::string loop = loop_of(module);

  EXPECT_TRUE(holds(loop, "gyre::Crew<gyre::GridMeeting> crew(state);"));
  EXPECT_TRUE(holds(loop, "block < gyre::strand_blocks(points)"));
  EXPECT_TRUE(holds(loop, "points, block);"));
}

TEST(EmitResident, TextWithoutResidentLoopsIsAsBefore) {
  const std::string source = emit_module(cg(), {}).source;

  EXPECT_FALSE(holds(source, "kernels/crew.cuh"));
}

TEST(EmitResident, OnlyATracedLoopLogsItsTrips) {
  const plan::Plan plan = cg();
  const auto shapes = support::resident_shapes(plan, Crew::Cluster);

  const EmittedModule traced = emit_module(plan, {.resident = shapes, .traced = true});

  EXPECT_EQ(count_of(traced.source, "if (crew.leads()) gyre::trace_trip("), 1u);
  EXPECT_EQ(count_of(emit_resident(plan).source, "trace_trip("), 0u);
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(compiles(plan, {.resident = shapes, .traced = true}));
}

TEST(EmitResident, RandomProgramsCompileForEveryCrew) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  constexpr Crew crews[] = {Crew::Block, Crew::Cluster, Crew::Grid};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const plan::Plan plan = plan_of(support::random_program(seed).program, plan::all_steps);
    const auto shapes = support::resident_shapes(plan, crews[seed % 3]);

    EXPECT_TRUE(compiles(plan, {.resident = shapes})) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gyre::jit
