#include "../../../../src/executors/gpu/residence.hpp"

#include "hopper.hpp"

#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

using Form = PersistentOptions::Form;
using jit::Crew;

constexpr const char* relax = R"(program relax(n: size) {
  inout x: f64[n]
  temp y: f64[n]
  in k: i32
  for i in 0..k {
    foreach j in 0..n { y[j] = x[n - 1 - j] }
    foreach j in 0..n { x[j] = 0.5 * y[j] }
  }
})";

cuda::DeviceFacts ampere() {
  cuda::DeviceFacts facts = hopper();
  facts.sm = 80;
  return facts;
}

// All sizes are n; outputs are kept where they are written if `keeps_outputs`.
Residents residents(const std::string& text, std::int64_t n, const PersistentOptions& options = {},
                    const cuda::DeviceFacts& device = hopper(), bool keeps_outputs = false) {
  const plan::Plan plan = plan_of_text(text);
  const ir::Bound bound = bound_by_sizes(
      plan, [n](const std::string&) { return n; }, keeps_outputs);
  return find_residents(plan, bound, device, plan::shipped_cost_table(), options);
}

jit::ResidentShape shape(const std::string& text, std::int64_t n,
                         const PersistentOptions& options = {},
                         const cuda::DeviceFacts& device = hopper()) {
  return residents(text, n, options, device).shapes.at(0);
}

TEST(Residents, GrowFromABlockToAClusterAndAGridAndAreThenLeftToTheGraph) {
  EXPECT_EQ(shape(relax, 1000).crew, Crew::Block);
  EXPECT_EQ(shape(relax, 4000).crew, Crew::Cluster);
  EXPECT_EQ(shape(relax, 100'000).crew, Crew::Grid);
  EXPECT_TRUE(residents(relax, 1'000'000).shapes.empty());
}

TEST(Residents, TakeAGridWhereNoKernelStartsEarly) {
  EXPECT_EQ(shape(relax, 40000, {}, ampere()).crew, Crew::Grid);
}

TEST(Residents, NeedsNoClusterOnADeviceWithoutThem) {
  EXPECT_EQ(shape(relax, 8000, {}, ampere()).crew, Crew::Grid);
  EXPECT_EQ(residents(relax, 8000, {Form::Cluster}, ampere()).declined.front(),
            "relax/for#0 is no kernel of its own: the device has no clusters");
}

TEST(Residents, SayBothPricesWhoeverIsChosen) {
  const Residents chosen = residents(relax, 1000);
  // Buffers of a graph change places instead of being copied.
  const Residents declined = residents(
      "program relax(n: size) {\n  inout x: f64[n]\n  temp y: f64[n]\n  in k: i32\n"
      "  for i in 0..k { foreach j in 0..n { y[j] = x[n - 1 - j] }\n copy x = y }\n}",
      100'000);

  ASSERT_EQ(chosen.chosen.size(), 1u);
  EXPECT_TRUE(std::regex_match(
      chosen.chosen.front(),
      std::regex("relax/for#0 is one kernel: a trip takes 0\\.\\d us by one block and "
                 "2\\.\\d us as kernels of a graph")))
      << chosen.chosen.front();
  ASSERT_EQ(declined.declined.size(), 1u);
  EXPECT_TRUE(std::regex_match(
      declined.declined.front(),
      std::regex("relax/for#0 is no kernel of its own: a trip takes 2\\.\\d us by a grid and "
                 "2\\.\\d us as kernels of a graph")))
      << declined.declined.front();
}

TEST(Residents, LargeProblemsAreLeftToTheGraph) {
  const Residents found = residents(relax, 1 << 20);

  EXPECT_TRUE(found.shapes.empty());
  EXPECT_EQ(found.declined.front(),
            "relax/for#0 is no kernel of its own: 1048576 points are more than sit on the device");
}

TEST(Residents, IndicesThatABlockSharesAreLeftToTheGraph) {
  const std::string head =
      "program p(n: size) {\n  in a: f64[n, n], k: i32\n  inout x: f64[n]\n"
      "  temp y: f64[n]\n  for i in 0..k {\n    foreach j in 0..n ";
  const std::string tail =
      "{ y[j] = sum(l in 0..n) a[j, l] * x[l] }\n"
      "    foreach j in 0..n { x[j] = 0.5 * y[n - 1 - j] }\n  }\n}";

  EXPECT_EQ(residents(head + tail, 100).shapes.size(), 1u);
  EXPECT_EQ(
      residents(head + tail, 1024).declined.front(),
      "p/for#0 is no kernel of its own: several threads share an index, which a kernel of its "
      "own does not do");
  EXPECT_TRUE(residents(head + "team warp " + tail, 100).shapes.empty());
  EXPECT_EQ(residents(head + tail, 1024, {Form::Grid}).shapes.size(), 1u);
}

TEST(Residents, AScanOfFewValuesStaysOnTheChip) {
  const Residents found = residents(R"(program p(n: size) {
  in x: f64[n], k: i32
  inout y: f64[n]
  for i in 0..k { scan(j in 0..n) y = sum x[j] }
})",
                                    1000);

  EXPECT_EQ(found.shapes.size(), 1u) << (found.declined.empty() ? "" : found.declined.front());
}

TEST(Residents, ALoopOfFewPointsStandsInOneOfMany) {
  const Residents found = residents(R"(program p(n: size) {
  inout x: f64[n], y: f64[100]
  in k: i32
  for i in 0..k {
    foreach j in 0..n { x[j] *= 0.5 }
    for l in 0..k { foreach j in 0..100 { y[j] += x[j] } }
  }
})",
                                    40000);

  EXPECT_EQ(found.declined.size(), 1u);
  ASSERT_EQ(found.shapes.size(), 1u);
  EXPECT_EQ(found.shapes.begin()->first, 1u) << "the loop within";
  EXPECT_EQ(found.shapes.begin()->second.crew, Crew::Block);
}

// As the levels of a triangular solve do.
TEST(Residents, FewPointsThatGoThroughALargeBufferAreABlocks) {
  const auto text = [](const std::string& store) {
    return "program p(n: size) {\n  inout x: f64[n]\n  in k: i32\n  for i in 0..k {\n"
           "    foreach j in 0..100 independent { " +
           store + " }\n  }\n}";
  };

  const auto levels = shape(text("scatter x[(i * 100 + j) % n] = x[i] + 1.0"), 100'000);
  const auto many_a_point =
      shape(text("for l in 0..k { scatter x[(i * l + j) % n] = x[i] + 1.0 }"), 100'000);

  EXPECT_EQ(levels.crew, Crew::Block);
  EXPECT_TRUE(levels.shared.empty());
  EXPECT_EQ(many_a_point.crew, Crew::Cluster);
}

TEST(Residents, ATripThatFoldsNothingHasAThreadForEachPoint) {
  const std::string folds =
      "program p(n: size) {\n  inout x: f64[n]\n  out s: f64\n"
      "  while s < 9.0 { foreach j in 0..n { x[j] += 1.0; s += x[j] } }\n}";

  EXPECT_EQ(shape(relax, 1000).threads, 1024u);
  EXPECT_EQ(shape(folds, 1000).threads, 512u);
}

TEST(Residents, KeepsWhatIsOwnedInRegistersAndTheRestInSharedMemory) {
  const jit::ResidentShape made = shape(relax, 1000);

  EXPECT_EQ(made.registers.size(), 1u);
  EXPECT_EQ(made.shared.size(), 1u);
}

// On the chip nobody would see it before the loop ends.
TEST(Residents, LeavesInMemoryWhatTheHostPeeksAt) {
  constexpr const char* text = R"(program p(n: size) {
  inout x: f64[n]
  out log: f64[n], mine: f64[n]
  in k: i32
  for i in 0..k {
    log[i % n] = x[0]
    foreach j in 0..n { mine[j] += x[n - 1 - j] }
    foreach j in 0..n { x[j] *= 0.5 }
  }
})";

  const auto copied = shape(text, 1000);
  const auto kept = residents(text, 1000, {}, hopper(), true).shapes.at(0);

  EXPECT_EQ(copied.shared.size() + copied.registers.size(), 3u);
  EXPECT_EQ(kept.shared.size() + kept.registers.size(), 1u);
  EXPECT_EQ(kept.crew, Crew::Block);
}

TEST(Residents, LeavesInMemoryWhatDoesNotFitOnTheChip) {
  cuda::DeviceFacts small = hopper();
  small.max_shared_per_block = 4 << 10;

  EXPECT_TRUE(shape(relax, 1000, {Form::Block}, small).shared.empty());
  EXPECT_NE(shape(relax, 1000, {}, small).crew, Crew::Block);
}

TEST(Residents, EveryPointHasAnOwner) {
  for (const std::int64_t n : {0, 1, 63, 64, 65, 500, 1024, 2000, 4096}) {
    const jit::ResidentShape made = shape(relax, n, {Form::Block});
    EXPECT_GE(made.threads * made.strands, n);
  }
  EXPECT_EQ(shape(relax, 100, {Form::Block, 32}).strands, 4u);
  EXPECT_TRUE(residents(relax, 200, {Form::Block, 32}).shapes.empty());
  EXPECT_TRUE(residents(relax, 5000, {Form::Block}).shapes.empty());
}

TEST(Residents, AGridThatHoldsAllPointsAtOnceKeepsThemInRegisters) {
  const jit::ResidentShape at_once = shape(relax, 60000, {Form::Grid});
  const jit::ResidentShape in_rounds = shape(relax, 2'000'000, {Form::Grid});

  EXPECT_FALSE(at_once.goes_in_rounds());
  EXPECT_EQ(at_once.registers.size(), 1u);
  EXPECT_TRUE(in_rounds.goes_in_rounds());
  EXPECT_TRUE(in_rounds.registers.empty());
}

// A block on each of 132 multiprocessors meets the sooner the fewer threads it has.
TEST(Residents, AGridHasAsManyThreadsAndPointsAThreadAsItsPointsWant) {
  const auto own = [](std::int64_t n) {
    const jit::ResidentShape made = shape(relax, n, {Form::Grid});
    return std::vector<unsigned>{made.threads, made.strands, made.points};
  };
  using Own = std::vector<unsigned>;

  EXPECT_EQ(own(0), (Own{256, 1, 1}));
  EXPECT_EQ(own(132 * 256), (Own{256, 1, 1}));
  EXPECT_EQ(own(132 * 256 + 1), (Own{512, 1, 1}));
  EXPECT_EQ(own(132 * 1024), (Own{1024, 1, 1}));
  EXPECT_EQ(own(1 << 18), (Own{1024, 2, 1}));
  EXPECT_EQ(own((1 << 18) + 1), (Own{1024, 2, 2})) << "strands of two points";
  EXPECT_EQ(own(1 << 19), (Own{1024, 2, 2}));
  EXPECT_EQ(own((1 << 19) + 1).back(), 0u) << "more than a thread owns";
}

constexpr const char* rows_of_a_matrix = R"(program p(n: size, nnz: size) {
  in row: i32[n + 1], col: i32[nnz], val: f64[nnz], k: i32
  inout x: f64[n]
  temp y: f64[n]
  for t in 0..k {
    foreach i in 0..n { y[i] = sum(e in row[i]..row[i + 1]) val[e] * x[col[e]] }
    foreach i in 0..n { x[i] = 0.5 * y[i] }
  }
})";

jit::ResidentShape shape_of_rows(std::int64_t n, std::int64_t nnz, Form form) {
  const plan::Plan plan = plan_of_text(rows_of_a_matrix);
  const ir::Bound bound =
      bound_by_sizes(plan, [&](const std::string& name) { return name == "n" ? n : nnz; });
  return find_residents(plan, bound, hopper(), plan::shipped_cost_table(), {form}).shapes.at(0);
}

TEST(Residents, GridsAndClustersKeepTheRowsOfTheirPoints) {
  EXPECT_EQ(shape_of_rows(100'000, 500'000, Form::Grid).rows.size(), 1u);
  EXPECT_EQ(shape_of_rows(8000, 40'000, Form::Cluster).rows.size(), 1u);
  EXPECT_TRUE(shape_of_rows(300'000, 1'500'000, Form::Grid).rows.empty())
      << "whose points do not follow each other";
  const auto block = shape_of_rows(1000, 5000, Form::Block);
  EXPECT_TRUE(block.rows.empty()) << "all of the matrix fits";
  EXPECT_EQ(block.shared.size(), 4u);
}

// A condition, or a sweep that never runs, may keep points away from elements that are not there.
TEST(Residents, APointWithoutAnElementOwnsNone) {
  const auto kept = [](std::int64_t points, std::int64_t elements) {
    const plan::Plan plan = plan_of_text(
        "program p(m: size, n: size) {\n  inout x: f64[n]\n  in k: i32\n"
        "  for t in 0..k { foreach i in 0..m { if i < n { x[i] = 0.5 * x[i] } } }\n}");
    const ir::Bound bound = bound_by_sizes(
        plan, [&](const std::string& name) { return name == "m" ? points : elements; });
    return find_residents(plan, bound, hopper(), plan::shipped_cost_table(), {Form::Block})
        .shapes.at(0)
        .registers.size();
  };

  EXPECT_EQ(kept(100, 100), 1u);
  EXPECT_EQ(kept(100, 700), 1u);
  EXPECT_EQ(kept(700, 100), 0u);
  EXPECT_EQ(kept(0, 0), 1u);
}

TEST(Residents, FoldsOfManyTermsHaveAFormOfTheirOwn) {
  EXPECT_FALSE(shape_of_rows(4096, 5 * 4096, Form::Grid).long_folds);
  EXPECT_TRUE(shape_of_rows(4096, 27 * 4096, Form::Grid).long_folds);
}

TEST(Residents, ExtentsThatOnlyTheDeviceKnowsTakeAGrid) {
  constexpr const char* text = R"(program p(n: size) {
  inout x: f64[n]
  in k: i32
  for i in 0..k { foreach j in 0..i { x[j] += 1.0 } }
})";

  EXPECT_TRUE(shape(text, 100).goes_in_rounds());
  EXPECT_EQ(residents(text, 100, {Form::Block}).declined.front(),
            "p/for#0 is no kernel of its own: only the device knows how many points it has");
}

}  // namespace
}  // namespace gyre::executors
