// Sorts and scans as calls of a library: which become calls, and that bits are those of the source.
#include "gyre/passes/call_library.hpp"

#include "gyre/executors/cpu.hpp"
#include "gyre/ir/interpret.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/printer.hpp"
#include "support/host_library.hpp"
#include "support/programs.hpp"
#include "support/random.hpp"
#include "support/same_run.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::passes {
namespace {

using support::host_library;
using support::OwnedArguments;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> forms_of(const std::string& body, const CallLibraryOptions& options = {},
                                  const ir::LibraryLimits& limits = {.least_sort = 65'536,
                                                                     .least_scan = 1'048'576}) {
  std::vector<PrimitiveForm> forms;
  const ir::Program program = support::parse_ok("program p(n: size, m: size) {\n" + body + "\n}\n");
  call_library(program, host_library(limits), options, &forms);
  std::vector<std::string> lines;
  for (const PrimitiveForm& form : forms) lines.push_back(form.region + " " + form.form);
  return lines;
}

TEST(CallLibrary, ASortOfAnyLengthDecidesAtRunTime) {
  const ir::Program program = support::parse_ok(R"(program p(n: size) {
  in x: f32[n]
  out y: f32[n], at: i32[n]
  sort(i in 0..n) y, at = x[i], i32(i)
}
)");

  const std::string text = text::print(call_library(program, host_library({.least_sort = 1000})));

  EXPECT_THAT(text, testing::StartsWith(R"(program p(n: size) {
  in x: f32[n]
  out y: f32[n], at: i32[n]
  var count: i64
  count = n
  if !(n < 1000) && !(2147483647 < n) {
    temp order: i32[n]
    call host_order(x, order, count)
    foreach p in 0..n {
      let from = i64(order[p])
      y[p] = x[from]
      at[p] = i32(from)
    }
  } else {
)"));
}

TEST(CallLibrary, OnlyWhatIsOverwrittenOrMayFaultIsStoredAhead) {
  const std::string head = "program p(n: size) {\n  inout x: f64[n], v: i64[n], h: f16[n]\n  ";
  const auto text_of = [&](const std::string& statement) {
    return text::print(call_library(support::parse_ok(head + statement + "\n}\n"),
                                    host_library({.least_sort = 0})));
  };

  EXPECT_THAT(text_of("out y: f64[n], w: i64[n]\n sort(i in 0..n) y, w = x[i], v[i]"),
              HasSubstr("call host_order(x, order, count)"));
  EXPECT_THAT(text_of("sort(i in 0..n) x = x[i]"),
              HasSubstr("call host_order(record, order, count)"));
  EXPECT_THAT(
      text_of("out y: f64[n]\n sort(i in 0..n) y, v = x[i], v[i]"),
      AllOf(HasSubstr("call host_order(x, order, count)"), HasSubstr("v[p_2] = record[from]")));
  EXPECT_THAT(text_of("out y: f64[n], w: i64[n]\n sort(i in 0..n) y, w = x[i], v[i + 1]"),
              HasSubstr("record[p] = v[p + 1]"));
  // Their keys are those of f32.
  EXPECT_THAT(text_of("out y: f16[n]\n sort(i in 0..n) y = h[i]"),
              HasSubstr("temp record: f32[n]"));
}

TEST(CallLibrary, LengthsThatTheProgramTellsNeedNoBranch) {
  EXPECT_THAT(
      forms_of(R"(
  in x: i32[2000000], z: i32[100], k: i32
  out y: i32[2000000], few: i32[100]
  sort(i in 0..2000000) y = x[i]
  sort(i in 0..100) few = z[i]
  sort(i in 0..k) few = x[i]
  sort(i in 0..100000) y = 3 - x[i]
  scan(i in 0..2000000) y = sum x[i])"),
      ElementsAre("p/sort#0 a call of host", "p/sort#1 loops: it has fewer than 65536 values",
                  "p/sort#2 loops: it has fewer than 65536 values",
                  "p/sort#3 loops: it has more than 4 places for each value",
                  "p/scan#0 a call of host"));
  EXPECT_THAT(forms_of("in x: i32[64]\n inout y: i32[8]\n scan(i in 0..64) y = sum x[i]", {},
                       {.least_scan = 64}),
              ElementsAre("p/scan#0 loops: its output has too few places"));
  constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(forms_of("in x: i32[n]\n out y: i32[300000]\n sort(i in 0..100000) y = 3 - x[i]", {},
                       {.most_places_a_value = any}),
              ElementsAre("p/sort#0 a call of host"));
}

TEST(CallLibrary, SaysWhyAPrimitiveStaysLoops) {
  EXPECT_THAT(
      forms_of(R"(
  in x: i32[n], f: f32[n], k: i32
  out y: i32[n], z: f32[n], many: i64
  scan(i in 0..n) y = sum x[i]
  scan(i in 0..n) z = sum f[i]
  scan(i in 0..n) y = max x[i]
  scan(i in 0..n) y = sum 2 * x[i]
  scan(i in 0..k) y = sum x[i]
  compact(i in 0..n) y, many = x[i] where x[i] > 0
  for t in 0..3 { sort(i in 0..n) y = x[i] })"),
      ElementsAre("p/scan#0 a call of host; loops where it has fewer than 1048576 values, or where "
                  "it has 2^31 places or more",
                  "p/scan#1 loops: the sum of floats has a shape of its own",
                  "p/scan#2 loops: only sums are called",
                  "p/scan#3 loops: its terms lie in no buffer of their length",
                  "p/scan#4 loops: its terms lie in no buffer of their length",
                  "p/compact#0 loops: host is called for sorts and scans alone",
                  "p/for#0/sort#0 loops: it stands in a loop, which persistent may keep on the "
                  "chip"));
}

TEST(CallLibrary, LoopsHoldCallsWhereNoneStaysOnTheChip) {
  EXPECT_THAT(forms_of("in x: f32[n]\n out y: f32[n]\n var k: i32\n"
                       "while k < 3 { sort(i in 0..n) y = x[i]\n k += 1 }",
                       {.in_loops = true}),
              ElementsAre("p/while#0/sort#0 a call of host; loops where it has fewer than 65536 "
                          "values, or where it has 2^31 places or more"));
}

TEST(CallLibrary, LooksAtNoLengthUnlessALimitAsksForIt) {
  EXPECT_THAT(forms_of("in x: f32[n], k: i32[n]\n out y: f32[n], z: i32[n]\n"
                       "sort(i in 0..n) y = x[i]\n scan(i in 0..n) z = sum k[i]",
                       {}, ir::LibraryLimits{}),
              ElementsAre("p/sort#0 a call of host; loops where it has 2^31 places or more",
                          "p/scan#0 a call of host; loops where it has 2^31 places or more"));
}

// Bits against the source.

ir::Outcome on_cpu(const ir::Program& program, OwnedArguments& data) {
  const auto plan = std::make_shared<const plan::Plan>(plan::make_plan(run_passes(program)));
  return executors::make_cpu_executor(plan, {2})->run(
      ir::resolve(plan->symbols, data.view(program)), {});
}

// By calls alone, and by a branch: with `length` values it takes the call, and for few values once
// more the loops, which take long for many.
void expect_the_bits_of_the_source(const std::string& text, const OwnedArguments& start,
                                   std::int64_t length) {
  const ir::Program program = support::parse_ok(text);
  support::Run expected{{}, start};
  expected.outcome = interpret(program, expected.data.view(program));
  for (const std::int64_t least : {std::int64_t{0}, length, length + 1}) {
    if (least > 1000 && least > length) continue;
    const ir::Program called = call_library(
        program,
        host_library({.least_sort = least, .least_scan = least, .most_places_a_value = 4}));
    support::Run actual{{}, start};
    actual.outcome = on_cpu(called, actual.data);

    EXPECT_TRUE(support::same_run(expected, actual)) << "calls from " << least << " values on\n"
                                                     << text;
  }
}

constexpr std::int64_t lengths[] = {0, 1, 2, 255, 256, 257, 65'535, 65'536, 65'537};

template <class T>
std::vector<T> random_list(support::Random& random, std::int64_t length) {
  std::vector<T> list(static_cast<std::size_t>(length));
  const bool few = random.chance(50);
  for (T& one : list) {
    const auto drawn = random.value(ir::type_of<T>).template as<T>();
    one = few && random.chance(90) ? static_cast<T>(random.between(-3, 3)) : drawn;
  }
  return list;
}

template <class T>
class CalledSorts : public ::testing::Test {
 protected:
  static std::string type() { return std::string(ir::name_of(ir::type_of<T>)); }
};
using Types = ::testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(CalledSorts, Types);

TYPED_TEST(CalledSorts, HaveTheBitsOfTheSourceAtEveryLength) {
  support::Random random(1);
  for (const std::int64_t length : lengths) {
    OwnedArguments data;
    data.sizes["n"] = length;
    data.with("x", random_list<TypeParam>(random, length));
    data.add("y", ir::type_of<TypeParam>, {length});
    data.add("z", ir::type_of<TypeParam>, {length});
    data.add("at", ir::ScalarType::I64, {length});
    expect_the_bits_of_the_source("program p(n: size) {\n  inout x: " + this->type() +
                                      "[n]\n  out y: " + this->type() + "[n], z: " + this->type() +
                                      "[n], at: i64[n]\n"
                                      "  sort(i in 0..n) y, at = x[i], i\n"
                                      "  sort(i in 0..n) z = x[i] descending\n"
                                      "  sort(i in 0..n) x = x[n - 1 - i] descending\n}\n",
                                  data, length);
  }
}

TYPED_TEST(CalledSorts, LeaveWhatStandsBehindALengthThatTheDeviceTells) {
  support::Random random(2);
  for (const std::int64_t length : lengths) {
    for (const std::int64_t places : {length, length + 1, 2 * length + 7, 9 * length + 1}) {
      OwnedArguments data;
      data.sizes["n"] = places;
      data.with("m", ir::Value(length));
      data.with("x", random_list<TypeParam>(random, places));
      data.with("y", random_list<TypeParam>(random, places));
      expect_the_bits_of_the_source("program p(n: size) {\n  in m: i64, x: " + this->type() +
                                        "[n]\n  inout y: " + this->type() +
                                        "[n]\n  var many: i64\n  many = m\n"
                                        "  sort(i in 0..many) y = x[i]\n}\n",
                                    data, length);
      if (length > 1000) break;
    }
  }
}

template <class T>
class CalledScans : public CalledSorts<T> {};
using Integers = ::testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(CalledScans, Integers);

TYPED_TEST(CalledScans, HaveTheBitsOfTheSourceAtEveryLength) {
  support::Random random(3);
  for (const std::int64_t length : lengths) {
    OwnedArguments data;
    data.sizes["n"] = length;
    data.sizes["m"] = length + 3;
    data.with("x", random_list<TypeParam>(random, length));
    data.with("y", random_list<TypeParam>(random, length + 3));
    data.add("z", ir::type_of<TypeParam>, {length});
    expect_the_bits_of_the_source("program p(n: size, m: size) {\n  inout x: " + this->type() +
                                      "[n], y: " + this->type() + "[m]\n  out z: " + this->type() +
                                      "[n]\n"
                                      "  scan(i in 0..n) y = sum x[i]\n"
                                      "  scan(i in 0..n) z = sum x[i] exclusive\n"
                                      "  scan(i in 0..n) x = sum x[i]\n}\n",
                                  data, length);
  }
}

TEST(CalledSorts, OfHalvesOrderWhatTheyLoadAs) {
  support::Random random(4);
  OwnedArguments data;
  data.sizes["n"] = 300;
  data.add("x", ir::ScalarType::F16, {300});
  data.add("y", ir::ScalarType::F16, {300});
  data.add("w", ir::ScalarType::BF16, {300});
  for (std::int64_t i = 0; i < 300; ++i) {
    const ir::Value one = random.value(ir::ScalarType::F32);
    ir::store_element(ir::ScalarType::F16, data.buffers.at("x").bytes.data(), i, one);
    ir::store_element(ir::ScalarType::BF16, data.buffers.at("w").bytes.data(), i, one);
  }

  expect_the_bits_of_the_source(
      "program p(n: size) {\n  in x: f16[n]\n  out y: f16[n]\n  inout w: bf16[n]\n"
      "  sort(i in 0..n) y, w = x[i], w[i] descending\n}\n",
      data, 300);
}

TEST(CalledSorts, TooLongARangeIsTheFaultThatItIsInLoops) {
  const ir::Program program = support::parse_ok(
      "program p(n: size) {\n  in x: i32[n], k: i64\n  out y: i32[4]\n"
      "  sort(i in 0..k) y = x[i]\n}\n");
  OwnedArguments data;
  data.sizes["n"] = 8;
  data.with("x", std::vector<std::int32_t>{8, 7, 6, 5, 4, 3, 2, 1});
  data.with("k", ir::Value(std::int64_t{5}));
  data.add("y", ir::ScalarType::I32, {4});
  support::Run expected{{}, data};
  support::Run actual{{}, data};

  expected.outcome = interpret(program, expected.data.view(program), {.checked = true});
  actual.outcome = interpret(call_library(program, host_library({.least_sort = 0})),
                             actual.data.view(program), {.checked = true});

  EXPECT_EQ(expected.outcome.fault, ir::FaultKind::OutOfBounds);
  EXPECT_TRUE(support::same_run(expected, actual));
}

// Work that a library puts on a stream looks at no fault, and would store past the end.
TEST(CalledScans, AreNotMadeIntoTooFewPlaces) {
  const ir::Program program = support::parse_ok(
      "program p(m: size) {\n  in x: i32[64]\n  inout y: i32[m]\n"
      "  scan(i in 0..64) y = sum x[i]\n}\n");
  const ir::Program called = call_library(program, host_library({.least_scan = 0}));
  for (const std::int64_t places : {8, 64, 70}) {
    OwnedArguments data;
    data.sizes["m"] = places;
    data.with("x", std::vector<std::int32_t>(64, 3));
    data.with("y", std::vector<std::int32_t>(static_cast<std::size_t>(places), 1));
    support::Run expected{{}, data};
    support::Run actual{{}, data};

    expected.outcome = interpret(program, expected.data.view(program), {.checked = true});
    actual.outcome = interpret(called, actual.data.view(program), {.checked = true});

    EXPECT_EQ(expected.outcome.fault == ir::FaultKind::OutOfBounds, places < 64);
    EXPECT_TRUE(support::same_run(expected, actual)) << places << " places";
  }
  EXPECT_THAT(text::print(called), HasSubstr("if !(m < 64) {"));
}

}  // namespace
}  // namespace gyre::passes
