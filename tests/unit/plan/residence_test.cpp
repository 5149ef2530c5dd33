#include "gyre/plan/residence.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

Plan resident_plan(const std::string& text) {
  auto scale = std::make_shared<ir::Callee>();
  scale->name = "scale";
  scale->accesses = {ir::Access::ReadWrite};
  return make_plan(passes::run_passes(text::parse_program("test.gyre", text, {{"scale", scale}})));
}

ir::SymbolId symbol_named(const Plan& plan, const std::string& name) {
  std::size_t i = 0;
  while (plan.symbols.at(i).name != name) ++i;
  return static_cast<ir::SymbolId>(i);
}

using Sentences = std::vector<std::string>;

// What is said of each loop, prices left out.
Sentences explained(const Plan& plan) {
  Sentences sentences = explain_residence(plan, shipped_cost_table());
  for (std::string& sentence : sentences) {
    sentence = sentence.substr(0, sentence.find(": a trip takes "));
  }
  return sentences;
}

TEST(Residence, ALoopOfExpressionsCanBeOneKernelWithAllThatItHolds) {
  const Plan plan = resident_plan(R"(program p(n: size) {
  inout x: f64[n]
  in k: i32
  for i in 0..k {
    if i > 2 { while x[0] < 3.0 { foreach j in 0..n { x[j] += 1.0 } } }
  }
  while x[0] < 9.0 { foreach j in 0..n { x[j] += 1.0 } }
})");

  EXPECT_EQ(resident_loops(plan).size(), 2u);
  EXPECT_EQ(explained(plan),
            (Sentences{"p/for#0 can be one kernel", "p/while#0 can be one kernel"}));
}

TEST(Residence, SaysWhatATripTakesByWhoRunsItBeforeSizesAreKnown) {
  CostTable costs;
  costs.block_trip = 1;
  costs.cluster_trip = 2;
  costs.grid_trip = 3;
  costs.kernel_sweep = 10;
  costs.graph_kernel = 10;
  const Plan plan = resident_plan(
      "program p(n: size) {\n  inout x: f64[n], s: f64\n  while s < 9.0 {\n"
      "    foreach j in 0..n { x[j] += 1.0 }\n    s = x[0]\n  }\n}");

  EXPECT_EQ(
      explain_residence(plan, costs),
      Sentences{"p/while#0 can be one kernel: a trip takes 1.0 us by one block, 2.0 us by one "
                "cluster, 3.0 us by a grid and 20.0 us as kernels of a graph, beside what it "
                "goes through"});
}

TEST(Residence, ACallStandsInTheWayOfTheLoopsAroundItAlone) {
  const Plan plan = resident_plan(R"(program p(n: size) {
  inout x: f64[n]
  in k: i32
  for i in 0..k {
    call scale(x)
    while x[0] < 3.0 { foreach j in 0..n { x[j] += 1.0 } }
  }
})");

  EXPECT_EQ(resident_loops(plan).size(), 1u);
  EXPECT_EQ(explained(plan), (Sentences{"p/for#0 cannot be one kernel: it calls 'scale'",
                                        "p/for#0/while#0 can be one kernel"}));
}

TEST(Residence, AFoldWhoseStepMayBeZeroStandsInTheWay) {
  const Plan plan = resident_plan(R"(program p(n: size) {
  inout x: f64[n]
  in k: i32, s: i32
  for i in 0..k { foreach j in 0..n { x[j] = sum(m in 0..9 step s) 1.0 } }
})");

  EXPECT_EQ(explained(plan),
            (Sentences{"p/for#0 cannot be one kernel: a fold in p/for#0/foreach#0 has a step that "
                       "may be 0"}));
}

TEST(Residence, ABufferHasWritersWhereEveryStoreIsAtItsOwnPlace) {
  const Plan plan = resident_plan(R"(program p(n: size, m: size) {
  inout looked: f64[n], scattered: f64[n], few: f64[n], unread: f64[n], reset: f64[n]
  in k: i32, map: i32[n]
  for i in 0..k {
    foreach j in 0..n { looked[j] += looked[n - 1] }
    foreach j in 0..n { scatter scattered[map[j]] = scattered[j] }
    foreach j in 0..m { few[j] = 1.0 }
    foreach j in 0..n { few[j] = few[j] + few[0]; unread[j] = 2.0 }
    foreach j in 0..n { reset[j] += reset[0] + unread[0] }
    reset[0] = 1.0
  }
})");
  const auto uses = buffer_uses(plan, *resident_loops(plan).front());
  const auto writers = [&](const char* name) { return uses.at(symbol_named(plan, name)).writers; };

  EXPECT_NE(writers("looked"), nullptr);
  EXPECT_EQ(writers("scattered"), nullptr);
  EXPECT_EQ(writers("few"), nullptr) << "by sweeps of other points";
  EXPECT_EQ(writers("unread"), nullptr) << "nothing is loaded from its own place";
  EXPECT_EQ(writers("reset"), nullptr) << "one element is stored to by another sweep";
}

TEST(Residence, ABufferHasOwnersWhereEveryAccessIsAtItsOwnPlace) {
  const Plan plan = resident_plan(R"(program p(n: size) {
  inout own: f64[n], shifted: f64[n], scalar: f64[n], cleared: f64[n]
  in k: i32
  for i in 0..k {
    temp t: f64[n]
    foreach j in 0..n { own[j] += 1.0; shifted[j] = own[j] + t[j]; scalar[j] = 1.0 }
    foreach j in 0..n { own[j] += shifted[n - 1 - j] + scalar[0] }
  }
})");
  const auto uses = buffer_uses(plan, *resident_loops(plan).front());
  const auto owners = [&](const char* name) { return uses.at(symbol_named(plan, name)).owners; };

  EXPECT_NE(owners("own"), nullptr);
  EXPECT_EQ(owners("shifted"), nullptr);
  EXPECT_EQ(owners("scalar"), nullptr);
  EXPECT_EQ(owners("t"), nullptr) << "it is cleared in each trip";
  EXPECT_FALSE(uses.contains(symbol_named(plan, "cleared")));
  EXPECT_TRUE(uses.at(symbol_named(plan, "own")).stores);
}

TEST(Residence, TripsWithoutFoldsAreThoseOfInnermostLoops) {
  const auto found = [](const std::string& body) {
    const Plan plan = resident_plan(
        "program p(n: size) {\n  inout x: f64[n]\n  in k: i32\n  out s: f64\n" + body + "\n}");
    return has_trips_without_folds(plan, *resident_loops(plan).front());
  };
  const std::string fold = "s = sum(j in 0..n) x[j]\n";
  const std::string sweep = "foreach j in 0..n { x[j] += 1.0 }\n";

  EXPECT_TRUE(found("for i in 0..k { " + sweep + "}"));
  EXPECT_FALSE(found("for i in 0..k { " + sweep + fold + "}"));
  EXPECT_TRUE(found("for i in 0..k { " + fold + "for l in 0..k { " + sweep + "} }"));
  EXPECT_FALSE(found("for i in 0..k { " + sweep + "for l in 0..k { " + fold + "} }"));
}

TEST(Residence, StoresOfAPointInALoopOfItsOwnAreFound) {
  const Plan plan = resident_plan(R"(program p(n: size) {
  inout once: f64[n], often: f64[n, 9]
  in k: i32
  for i in 0..k {
    foreach j in 0..n {
      if once[j] < 3.0 { once[j] += 1.0 }
      for l in 0..9 { if l > 2 { often[j, l] = 1.0 } }
    }
  }
})");

  EXPECT_EQ(stored_in_loops_of_points(plan, *resident_loops(plan).front()),
            (Symbols{symbol_named(plan, "often")}));
}

TEST(Residence, ATemporaryOutlivesTheLoopWhereSomethingElseTouchesIt) {
  const Plan plan = resident_plan(R"(program p(n: size) {
  inout x: f64[n]
  temp outer: f64[n]
  while x[0] < 9.0 {
    temp inner: f64[n]
    foreach j in 0..n { inner[j] = x[j]; outer[j] = x[j] }
    foreach j in 0..n { x[j] = inner[n - 1 - j] + outer[j] + 1.0 }
  }
  foreach j in 0..n { x[j] += outer[j] }
})");
  const auto beyond = used_beyond(plan, *resident_loops(plan).front());

  EXPECT_TRUE(beyond.contains(symbol_named(plan, "x")));
  EXPECT_TRUE(beyond.contains(symbol_named(plan, "outer")));
  EXPECT_FALSE(beyond.contains(symbol_named(plan, "inner")));
}

}  // namespace
}  // namespace gyre::plan
