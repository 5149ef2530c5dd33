// What a foreach and its stores, sums and promises mean.
#include "support/text_run.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

using support::OwnedArguments;
using support::Run;
using support::run_text;
using support::scalar;
using Doubles = std::vector<double>;
using Ints = std::vector<std::int32_t>;

OwnedArguments with(const std::string& name, const Doubles& elements) {
  return OwnedArguments().with(name, elements);
}

Doubles counting(int count) {
  Doubles numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0.0);
  return numbers;
}

TEST(InterpretForeach, StoresAtEachIndex) {
  const auto run = run_text("inout x: f64[n]\nforeach i in 1..n { x[i] = 2.0 * x[i] + 1.0 }",
                            with("x", {5, 6, 7}));

  EXPECT_EQ(run.data.elements<double>("x"), (Doubles{5, 13, 15}));
}

TEST(InterpretForeach, AnEmptyRangeDoesNothing) {
  const auto run = run_text("inout x: f64[n]\nforeach i in 0..n { x[i] = 1.0 }", with("x", {}));

  EXPECT_EQ(run.outcome.status, Status::Completed);
}

TEST(InterpretForeach, AnOutBufferStartsAtZeroAndATempAtEachEntry) {
  OwnedArguments data = with("y", {9, 9, 9});
  const auto run = run_text(R"(
    out y: f64[n]
    for trip in 0..2 {
      temp t: f64[n]
      foreach i in 0..n { y[i] += t[i] + 1.0 }
      fill t = 100.0
    })",
                            std::move(data));

  EXPECT_EQ(run.data.elements<double>("y"), (Doubles{2, 2, 2}));
}

TEST(InterpretForeach, LoopsIfsAndVarsRunPerIndexAndAreNotCounted) {
  const auto run = run_text(R"(
    inout x: f64[n]
    foreach i in 0..n {
      var k: i32
      while true {
        if k == 3 { break }
        k += 1
        if k == 2 { continue }
        x[i] += f64(k)
      }
    })",
                            with("x", {0, 10}));

  EXPECT_EQ(run.data.elements<double>("x"), (Doubles{4, 14}));
  EXPECT_TRUE(run.outcome.trips.empty());
  EXPECT_TRUE(run.outcome.arms.empty());
}

TEST(InterpretForeach, ALimitInsideEndsTheRun) {
  const auto run = run_text(R"(
    inout x: f64[n]
    foreach i in 0..n { while x[i] > 0.0 limit 4 { x[i] -= 1.0 } })",
                            with("x", {1, 4, 5}));

  EXPECT_EQ(run.outcome.status, Status::TripLimit);
  EXPECT_EQ(run.outcome.region, "p/foreach#0/while#0");
}

TEST(InterpretForeach, ASumTakesTheStrandShapeOfItsIndices) {
  const Doubles x = {1.0, 0x1p-53, 0x1p-53, 0x1p-53, 0x1p-53};

  const auto run =
      run_text("in x: f64[n]\nout s: f64 = 3.0\nforeach i in 0..n { s += x[i] }", with("x", x));

  EXPECT_EQ(scalar<double>(run, "s"), 3.0 + (((x[0] + x[1]) + (x[2] + x[3])) + x[4]));
}

TEST(InterpretForeach, AnIndexThatDoesNotReachASumGivesItZero) {
  const auto run = run_text(R"(
    in x: f64[n]
    out s: f64
    foreach i in 0..n { if x[i] > 1.0 { s += x[i] } })",
                            with("x", counting(5)));

  EXPECT_EQ(scalar<double>(run, "s"), 9.0);
}

TEST(InterpretForeach, ASumOverNoIndexAddsZero) {
  const auto run =
      run_text("in x: f64[n]\nout s: f64 = -0.0\nforeach i in 0..n { s += x[i] }", with("x", {}));

  EXPECT_FALSE(std::signbit(scalar<double>(run, "s")));
}

TEST(InterpretForeach, SumsAtTwoStatementsAreTwoFoldsInOrder) {
  const auto run = run_text(R"(
    in x: f64[n]
    out s: f64
    foreach i in 0..n { s += x[i]; s += 0.5 })",
                            with("x", {0x1p53, 1}));

  EXPECT_EQ(scalar<double>(run, "s"), (0.0 + (0x1p53 + 1.0)) + (0.5 + 0.5));
}

TEST(InterpretForeach, AScatterStoresWhereItIsTold) {
  const auto run = run_text("inout x: f64[n]\nforeach i in 0..n { scatter x[n - 1 - i] = f64(i) }",
                            with("x", {0, 0, 0}));

  EXPECT_EQ(run.data.elements<double>("x"), (Doubles{2, 1, 0}));
}

TEST(InterpretForeach, IntegerScattersMayCollide) {
  const auto run = run_text("inout x: i32[n]\nforeach i in 0..10 { scatter x[i % 3] += 1 }",
                            OwnedArguments().with("x", Ints{0, 0, 0}), {.checked = true});

  EXPECT_EQ(run.outcome.status, Status::Completed);
  EXPECT_EQ(run.data.elements<std::int32_t>("x"), (Ints{4, 3, 3}));
}

TEST(InterpretForeach, CheckedModeSeesTwoScattersAtOnePlace) {
  const std::string body = "inout x: f64[n]\nforeach i in 0..n { scatter x[i / 2] = 1.0 }";

  const auto run = run_text(body, with("x", {0, 0}), {.checked = true});

  EXPECT_EQ(run.outcome.status, Status::Fault);
  EXPECT_EQ(run.outcome.fault, FaultKind::BrokenPromise);
  EXPECT_EQ(run.outcome.detail, "two indices meet at x[0], which one of them writes");
  EXPECT_EQ(run_text(body, with("x", {0, 0})).outcome.status, Status::Completed);
}

TEST(InterpretForeach, CheckedModeSeesAnIndexThatReadsWhatAnotherWrites) {
  const auto run = run_text("inout x: f64[n]\nforeach i in 1..n independent { x[i] = x[i - 1] }",
                            with("x", {1, 2, 3}), {.checked = true});

  EXPECT_EQ(run.outcome.fault, FaultKind::BrokenPromise);
  EXPECT_EQ(run.outcome.region, "p/foreach#0");
}

TEST(InterpretForeach, ABrokenPromiseComesBeforeWhatItsIndicesMeet) {
  const auto run = run_text(R"(
    inout x: f64[n]
    foreach i in 0..n independent {
      x[i] = x[i + 9]
      for k in 0..1 { x[i] = x[(i + 1) % n] }
    })",
                            with("x", {1, 2, 3}), {.checked = true});
  const auto met = run_text(R"(
    inout x: f64[n]
    foreach i in 0..n independent {
      if i == 0 { x[i] = x[i + 9] }
      for k in 0..1 { x[i] = x[(i + 1) % n] }
    })",
                            with("x", {1, 2, 3}), {.checked = true});

  EXPECT_EQ(run.outcome.fault, FaultKind::OutOfBounds);
  EXPECT_EQ(met.outcome.fault, FaultKind::BrokenPromise);
  EXPECT_EQ(met.outcome.region, "p/foreach#0");
}

TEST(InterpretForeach, CheckedModeAcceptsRedBlackSweeps) {
  const auto run = run_text(
      "inout x: f64[n]\nforeach i in 1..n - 1 step 2 independent { x[i] = x[i - 1] + x[i + 1] }",
      with("x", {1, 0, 2, 0, 3}), {.checked = true});

  EXPECT_EQ(run.outcome.status, Status::Completed);
  EXPECT_EQ(run.data.elements<double>("x"), (Doubles{1, 3, 2, 5, 3}));
}

TEST(InterpretForeach, AnIndexOutsideIsAFaultThatTouchesNothing) {
  const auto run =
      run_text("inout x: f64[n]\nforeach i in 0..n { x[i + 2] = 7.0 }", with("x", {1, 2, 3}));

  EXPECT_EQ(run.outcome.status, Status::Fault);
  EXPECT_EQ(run.outcome.fault, FaultKind::OutOfBounds);
  EXPECT_EQ(run.outcome.region, "p/foreach#0");
  EXPECT_EQ(run.outcome.detail, "x[3] is outside f64[3]");
}

TEST(InterpretForeach, OfSeveralFaultsTheEarliestStatementIsTold) {
  // Index 0 faults at the second statement, index 3 at the first.
  const auto run = run_text(R"(
    in x: f64[n]
    inout y: f64[n]
    foreach i in 0..n {
      let a = x[i + 2]
      y[i] = x[i - 1] + a
    })",
                            with("x", counting(5)).with("y", counting(5)));

  EXPECT_EQ(run.outcome.detail, "x[5] is outside f64[5]");
}

TEST(InterpretForeach, OfSeveralFaultsOfOneStatementTheLeastIndexIsTold) {
  const auto run = run_text(R"(
    in x: f64[n]
    inout y: f64[n]
    foreach i in 0..n { y[i] = x[100 - i] + x[200 - i] })",
                            with("x", counting(5)).with("y", counting(5)));

  EXPECT_EQ(run.outcome.detail, "x[100] is outside f64[5]");
}

TEST(InterpretForeach, AFaultNamesEveryCoordinate) {
  OwnedArguments data;
  data.add("a", ScalarType::F32, {2, 3});
  data.sizes["n"] = 2;

  const auto run = run_text("in a: f32[n, 3]\nout s: f32\ns = a[1, n + 1]", std::move(data));

  EXPECT_EQ(run.outcome.region, "p");
  EXPECT_EQ(run.outcome.detail, "a[1, 3] is outside f32[2, 3]");
}

TEST(InterpretForeach, NothingRunsAfterAFault) {
  const auto run =
      run_text("in x: f64[n]\nout s: f64 = 1.0\nlet bad = x[n]\ns = 2.0 + bad", with("x", {1}));

  EXPECT_EQ(run.outcome.status, Status::Fault);
  EXPECT_EQ(scalar<double>(run, "s"), 1.0);
}

TEST(InterpretForeach, ManyRangesRunRowMajor) {
  OwnedArguments data;
  data.add("a", ScalarType::F64, {2, 3});
  data.sizes["n"] = 2;

  const auto run =
      run_text("inout a: f64[n, 3]\nforeach i in 0..n, k in 0..3 { a[i, k] = f64(10 * i + k) }",
               std::move(data));

  EXPECT_EQ(run.data.elements<double>("a"), (Doubles{0, 1, 2, 10, 11, 12}));
}

}  // namespace
}  // namespace gyre::ir
