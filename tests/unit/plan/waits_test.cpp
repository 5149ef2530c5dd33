#include "gyre/plan/waits.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

// Of a sweep over 0..n whose points run `body`.
double waits(const std::string& body, double terms = 5, const std::set<std::string>& near = {}) {
  const Plan plan = make_plan(passes::run_passes(
      text::parse_program("p.gyre",
                          "program p(n: size) {\n  inout x: f64[n], y: f64[n]\n"
                          "  in map: i32[n], row: i32[n + 1], col: i32[n], val: f64[n]\n"
                          "  foreach i in 0..n independent { " +
                              body + " }\n}")));
  Symbols nearby;
  for (std::size_t i = 0; i < plan.symbols.size(); ++i) {
    if (near.contains(plan.symbols[i].name)) nearby.insert(static_cast<ir::SymbolId>(i));
  }
  return waits_of(*plan.kernels.front().sweep, terms, nearby);
}

TEST(Waits, AnOwnPlaceIsReady) {
  EXPECT_EQ(waits("x[i] = y[i] + 1.0"), 0);
}

TEST(Waits, EachPlaceThatIsLoadedComesBeforeWhatLiesThere) {
  EXPECT_EQ(waits("x[i] = y[n - 1 - i]"), 1);
  EXPECT_EQ(waits("x[i] = y[map[n - 1 - i]]"), 2);
  EXPECT_EQ(waits("x[i] = y[map[map[n - 1 - i]]]"), 3);
}

TEST(Waits, LoadsSideBySideWaitTogether) {
  EXPECT_EQ(waits("x[i] = y[n - 1 - i] + val[n - 1 - i]"), 1);
}

TEST(Waits, WhatALocalWaitedForComesFirst) {
  EXPECT_EQ(waits("let at = map[n - 1 - i]\n x[i] = y[at]"), 2);
  EXPECT_EQ(waits("var at: i32 = 0\n at = map[n - 1 - i]\n x[i] = y[at]"), 2);
}

TEST(Waits, WhereToStoreIsWaitedForToo) {
  EXPECT_EQ(waits("scatter x[map[n - 1 - i]] = 1.0"), 1);
}

TEST(Waits, AFoldWaitsForItsBoundsAndOnceForEachThreeTerms) {
  const std::string row = "x[i] = sum(k in row[i]..row[i + 1]) val[k] * y[col[k]]";

  EXPECT_EQ(waits(row, 3), 1 + 2);
  EXPECT_EQ(waits(row, 5), 1 + 2 * 2);
  EXPECT_EQ(waits(row, 27), 1 + 9 * 2);
}

TEST(Waits, NobodyWaitsForWhatIsNear) {
  const std::string row = "x[i] = sum(k in row[i]..row[i + 1]) val[k] * y[col[k]]";

  EXPECT_EQ(waits(row, 5, {"row", "val", "col"}), 2) << "for y alone";
  EXPECT_EQ(waits(row, 5, {"row", "val", "col", "y"}), 0);
}

}  // namespace
}  // namespace gyre::plan
