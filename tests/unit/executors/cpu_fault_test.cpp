#include "support/cpu_run.hpp"
#include "support/programs.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

TEST(Cpu, AColumnPastTheEndIsTheLeastFault) {
  auto data = matrix(std::vector<std::int32_t>(4000, 5), 500);
  auto& col = data.buffers.at("col");
  for (const std::int64_t k : {19'000, 12'343, 12'341}) {
    store_element(ScalarType::I32, col.bytes.data(), k, ir::Value(std::int32_t{500}));
  }
  store_element(ScalarType::I32, col.bytes.data(), 12'342, ir::Value(std::int32_t{-1}));

  const Ran run = expect_as_interpreted(spmv, data);

  EXPECT_EQ(run.outcome.fault, ir::FaultKind::OutOfBounds);
  EXPECT_EQ(run.outcome.detail, "x[500] is outside f64[500]");
}

TEST(Cpu, AnEarlierStatementsFaultComesFirst) {
  auto data = with_buffer("a", ScalarType::I32, {100'000});
  data.add("b", ScalarType::I32, {100'000});
  data.add("c", ScalarType::I32, {100'000});

  const Ran run = expect_as_interpreted(
      "program p(n: size) { in a: i32[n]\n out b: i32[n], c: i32[n]\n"
      "foreach i in 0..n {\n"
      "  b[i] = a[select(i == 90000, n, i)]\n"
      "  c[i] = a[select(i == 3, i - 10, i)]\n } }",
      data);

  EXPECT_EQ(run.outcome.detail, "a[100000] is outside i32[100000]");
}

TEST(Cpu, AStoreOutsideTouchesNothing) {
  OwnedArguments data;
  data.add("a", ScalarType::I32, {1000});
  const auto program = support::parse_ok(
      "program p(n: size) { inout a: i32[n]\n foreach i in 0..n { a[i + 900] = 1 } }");

  const Ran run = run_on_cpu(program, data, 2);

  EXPECT_EQ(run.outcome.fault, ir::FaultKind::OutOfBounds);
  EXPECT_EQ(run.outcome.detail, "a[1000] is outside i32[1000]");
  EXPECT_EQ(run.data.buffers.at("a").at(899).as<std::int32_t>(), 0);
  EXPECT_EQ(run.data.buffers.at("a").at(999).as<std::int32_t>(), 1);
}

TEST(Cpu, GuardedIndicesAreNeverRead) {
  auto data = with_buffer("a", ScalarType::I32, {5000});
  data.add("b", ScalarType::I32, {5000});

  const Ran run = expect_as_interpreted(
      "program p(n: size) { in a: i32[n]\n out b: i32[n], c: i64\n"
      "foreach i in 0..n {\n"
      "  b[i] = select(i > 0, a[i - 1], 0) + select(i + 1 < n && a[i + 1] > 0, a[i + 1], -1)\n"
      "  if i >= 5 || a[i + 3] > 2 { b[i] += sum(k in 0..2) a[i - k * select(i < 2, 0, 1)] }\n"
      "}\n"
      "c = count(i in 0..n + 5) (i < n && b[i] > 0) }",
      data);

  EXPECT_EQ(run.outcome.status, ir::Status::Completed);
}

TEST(Cpu, ALaneThatReachesItsTripLimitEndsTheRun) {
  OwnedArguments data;
  data.add("b", ScalarType::I32, {4000});

  const Ran run = expect_as_interpreted(
      "program p(n: size) { out b: i32[n]\n"
      "foreach i in 0..n { var k: i32\n while k < i32(i) limit 1500 { k += 1 }\n b[i] = k } }",
      data);

  EXPECT_EQ(run.outcome.status, ir::Status::TripLimit);
  EXPECT_EQ(run.outcome.region, "p/foreach#0/while#0");
}

TEST(Cpu, ZeroStepsAreFaultsWhereverTheyStand) {
  for (const char* body :
       {"foreach i in 0..n step s { b[i] = 1 }", "foreach i in 0..n { for k in 0..5 step s { } }",
        "foreach i in 0..n { b[i] = sum(k in 0..5 step s) k }", "for k in 0..5 step s { }"}) {
    OwnedArguments data;
    data.scalars["s"] = ir::Value(std::int64_t{0});
    data.add("b", ScalarType::I64, {2000});

    const Ran run = expect_as_interpreted(
        "program p(n: size) { in s: i64\n out b: i64[n]\n" + std::string(body) + " }", data);

    EXPECT_EQ(run.outcome.fault, ir::FaultKind::ZeroStep) << body;
  }
}

TEST(Cpu, CheckedModeSeesTwoIndicesMeet) {
  OwnedArguments data;
  data.add("b", ScalarType::I32, {1000});
  constexpr std::string_view text =
      "program p(n: size) { out b: i32[n]\n foreach i in 0..n { scatter b[i / 2] = 1 } }";

  const Ran run = expect_as_interpreted(text, data, {.checked = true});

  EXPECT_EQ(run.outcome.fault, ir::FaultKind::BrokenPromise);
}

}  // namespace
}  // namespace gyre::executors
