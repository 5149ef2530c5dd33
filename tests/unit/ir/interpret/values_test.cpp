// What scalars, folds, storage formats, copies and calls mean in a run.
#include "gyre/base/error.hpp"
#include "gyre/ir/strands.hpp"
#include "support/text_run.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

using support::OwnedArguments;
using support::run_text;
using support::scalar;
using Doubles = std::vector<double>;

// Terms whose sum depends on its order.
Doubles rough_numbers(std::size_t count) {
  Doubles numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(std::ldexp(1.0 + 0.1 * static_cast<double>(i % 7), static_cast<int>(i % 61)));
  }
  return numbers;
}

// The sum by the definition: strands in order, then the tree over a power of two.
double sum_of(const Doubles& terms, std::size_t strand_count) {
  Doubles strands;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i < strand_count) {
      strands.push_back(terms[i]);
    } else {
      strands[i % strand_count] += terms[i];
    }
  }
  while (strands.size() > 1) {
    Doubles next;
    for (std::size_t i = 0; i < strands.size(); i += 2) {
      next.push_back(i + 1 < strands.size() ? strands[i] + strands[i + 1] : strands[i]);
    }
    strands = next;
  }
  return strands.at(0);
}

TEST(InterpretFold, AnOuterSumHasTheOuterShape) {
  for (const std::size_t count : {1u, 2u, 5u, 100u, 1000u}) {
    const Doubles x = rough_numbers(count);

    const auto run = run_text("in x: f64[n]\nout s: f64\ns = sum(i in 0..n) x[i]",
                              OwnedArguments().with("x", x));

    EXPECT_EQ(scalar<double>(run, "s"),
              sum_of(x, static_cast<std::size_t>(strands::outer(std::ssize(x)))));
  }
}

TEST(InterpretFold, PastTheCapAnOuterSumWrapsAroundItsStrands) {
  const Doubles x = rough_numbers((1u << 18) + 1000);

  const auto run =
      run_text("in x: f64[n]\nout s: f64\ns = sum(i in 0..n) x[i]", OwnedArguments().with("x", x));

  EXPECT_EQ(scalar<double>(run, "s"), sum_of(x, 1u << 18));
}

TEST(InterpretFold, ASumWithinAForeachHasTheInnerShape) {
  for (const std::size_t count : {3u, 8u, 37u, 1100u}) {
    const Doubles x = rough_numbers(count);

    const auto run =
        run_text("in x: f64[n]\nout y: f64[1]\nforeach j in 0..1 { y[j] = sum(i in 0..n) x[i] }",
                 OwnedArguments().with("x", x).with("y", Doubles{0}));

    EXPECT_EQ(run.data.elements<double>("y")[0],
              sum_of(x, static_cast<std::size_t>(strands::inner(std::ssize(x)))));
  }
}

TEST(InterpretFold, AFoldWithinAFoldHasTheInnerShape) {
  const Doubles x = rough_numbers(20);

  const auto run = run_text("in x: f64[n]\nout s: f64\ns = sum(j in 0..1) (sum(i in 0..n) x[i])",
                            OwnedArguments().with("x", x));

  EXPECT_EQ(scalar<double>(run, "s"), sum_of(x, 4));
}

TEST(InterpretFold, EmptyFoldsGiveTheirNeutralValues) {
  const auto run = run_text(R"(
    out s: f64 = 1.0, p: i32, least: f64, most: i32, where: i64, some: bool = true, every: bool
    s = sum(i in 0..0) 1.0
    p = prod(i in 5..3) 7
    least = min(i in 0..0) 1.0
    most = max(i in 0..0) 1
    where = argmin(i in 0..0) 1.0
    some = any(i in 0..0) (true)
    every = all(i in 0..0) (false))");

  EXPECT_EQ(scalar<double>(run, "s"), 0.0);
  EXPECT_EQ(scalar<std::int32_t>(run, "p"), 1);
  EXPECT_EQ(scalar<double>(run, "least"), INFINITY);
  EXPECT_EQ(scalar<std::int32_t>(run, "most"), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(scalar<std::int64_t>(run, "where"), -1);
  EXPECT_FALSE(scalar<bool>(run, "some"));
  EXPECT_TRUE(scalar<bool>(run, "every"));
}

TEST(InterpretFold, ArgminGivesTheIndexAndNotThePosition) {
  const auto run = run_text("in x: f64[n]\nout at: i64\nat = argmin(i in 2..n) x[i]",
                            OwnedArguments().with("x", Doubles{0, 0, 5, 1, 1}));

  EXPECT_EQ(scalar<std::int64_t>(run, "at"), 3);
}

TEST(InterpretFold, OfEqualsArgmaxGivesTheSmallestIndexAlsoDownwards) {
  const auto run = run_text("in x: f64[n]\nout at: i64\nat = argmax(i in n - 1..-1 step -1) x[i]",
                            OwnedArguments().with("x", Doubles{1, 7, 7, 0}));

  EXPECT_EQ(scalar<std::int64_t>(run, "at"), 1);
}

TEST(InterpretFold, CountsConditions) {
  const auto run = run_text("in x: f64[n]\nout k: i64\nk = count(i in 0..n) (x[i] > 1.0)",
                            OwnedArguments().with("x", Doubles{0, 2, 3, NAN}));

  EXPECT_EQ(scalar<std::int64_t>(run, "k"), 2);
}

TEST(InterpretStorage, HalvesAreStoredRoundedAndLoadedAsF32) {
  OwnedArguments data;
  data.add("h", ScalarType::F16, {2});
  data.add("b", ScalarType::BF16, {2});

  const auto run = run_text(R"(
    out h: f16[n], b: bf16[n]
    out a: f32
    h[0] = f32(1e300)
    h[1] = f32(2049.0)
    b[1] = f32(257.0)
    a = h[1] + b[1])",
                            std::move(data));

  EXPECT_EQ(run.data.buffers.at("h").at(0).as<float>(), INFINITY);
  EXPECT_EQ(run.data.buffers.at("h").at(1).as<float>(), 2048.0f);
  EXPECT_EQ(scalar<float>(run, "a"), 2048.0f + 256.0f);
}

TEST(InterpretStorage, AnyByteButZeroIsTrue) {
  OwnedArguments data;
  data.add("flags", ScalarType::Bool, {3});
  data.buffers.at("flags").bytes[1] = std::byte{0x80};

  const auto run =
      run_text("in flags: bool[n]\nout k: i64\nk = count(i in 0..n) (flags[i])", std::move(data));

  EXPECT_EQ(scalar<std::int64_t>(run, "k"), 1);
}

TEST(InterpretCopy, CopiesAllElements) {
  const auto run = run_text("in a: f64[n]\nout b: f64[n]\ncopy b = a",
                            OwnedArguments().with("a", Doubles{1, 2}).with("b", Doubles{0, 0}));

  EXPECT_EQ(run.data.elements<double>("b"), (Doubles{1, 2}));
}

TEST(InterpretCall, RunsItsHostFunctionOnBuffersAndScalars) {
  const auto scale = std::make_shared<Callee>();
  scale->name = "scale";
  scale->accesses = {Access::ReadWrite, Access::Read, Access::Write};
  scale->host = [](HostCallContext& context) {
    auto* x = static_cast<double*>(context.arguments[0].data);
    const double by = *static_cast<double*>(context.arguments[1].data);
    for (std::int64_t i = 0; i < context.arguments[0].extents[0]; ++i) x[i] *= by;
    *static_cast<std::int32_t*>(context.arguments[2].data) = 17;
  };

  const auto run =
      run_text("inout x: f64[n]\nout calls: i32\nvar by: f64 = 3.0\ncall scale(x, by, calls)",
               OwnedArguments().with("x", Doubles{1, 2}), {}, {{"scale", scale}});

  EXPECT_EQ(run.data.elements<double>("x"), (Doubles{3, 6}));
  EXPECT_EQ(scalar<std::int32_t>(run, "calls"), 17);
}

TEST(InterpretCall, WithoutAHostFunctionIsAnErrorThatNamesTheCall) {
  const auto spmv = std::make_shared<Callee>();
  spmv->name = "spmv";
  spmv->accesses = {Access::Read};

  try {
    run_text("in x: f64[n]\ncall spmv(x)", OwnedArguments().with("x", Doubles{1}), {},
             {{"spmv", spmv}});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "call 'spmv' has no host function, so it cannot run here");
  }
}

TEST(Interpret, AVariableStartsAfreshInEveryTrip) {
  const auto run = run_text(R"(
    out sum: i32
    for i in 0..3 {
      var fresh: i32
      var seven: i32 = 7
      sum += fresh + seven
      fresh = 50
      seven = 50
    })");

  EXPECT_EQ(scalar<std::int32_t>(run, "sum"), 21);
}

TEST(Interpret, ALetKeepsItsValueWhenItsOperandsChange) {
  const auto run = run_text(R"(
    out a: i32 = 1, b: i32 = 2
    for i in 0..3 {
      let old = a
      a = b
      b = old
    })");

  EXPECT_EQ(scalar<std::int32_t>(run, "a"), 2);
  EXPECT_EQ(scalar<std::int32_t>(run, "b"), 1);
}

TEST(Interpret, ACounterWrapsAsItsTypeSays) {
  const auto run = run_text(R"(
    out k: i32 = 2147483646
    out w: i64 = 9223372036854775807
    for i in 0..3 { k += 1 }
    w += 1)");

  EXPECT_EQ(scalar<std::int32_t>(run, "k"), -2147483647);
  EXPECT_EQ(scalar<std::int64_t>(run, "w"), std::numeric_limits<std::int64_t>::min());
}

}  // namespace
}  // namespace gyre::ir
