#include "gyre/ir/interpret.hpp"
#include "support/cpu_run.hpp"
#include "support/programs.hpp"

#include <atomic>
#include <string>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

TEST(Cpu, LanesLoopJumpAndBranchOnTheirOwn) {
  auto data = with_buffer("a", ScalarType::I32, {3000});
  data.add("b", ScalarType::I64, {3000});

  expect_as_interpreted(
      "program p(n: size) { in a: i32[n]\n out b: i64[n], t: i64\n"
      "foreach i in 0..n {\n"
      "  var x: i64 = i\n  var k: i64\n"
      "  while x != 1 && k < 200 {\n"
      "    k += 1\n"
      "    if x % 2 == 0 { x = x / 2\n continue }\n"
      "    x = 3 * x + 1\n"
      "    if k % 50 == 49 { break }\n"
      "    t += 1\n"
      "  }\n"
      "  for j in i % 7..a[i] step 1 + i32(i % 3) {\n"
      "    if j == 5 { continue }\n"
      "    for l in 0..j { if l > 3 { break }\n k += l }\n"
      "  }\n"
      "  do { k -= 1 } while k > 100\n"
      "  b[i] = k\n"
      "} }",
      data);
}

TEST(Cpu, SweepsOfEveryRankStepAndDirection) {
  OwnedArguments data;
  add_filled(data, "a", ScalarType::F32, {40, 30, 20, 3});
  data.add("b", ScalarType::F32, {40, 30, 20, 3});
  add_filled(data, "u", ScalarType::F64, {70, 600});
  data.add("v", ScalarType::F64, {70, 600});

  expect_as_interpreted(
      "program p(n: size, m: size, k: size) { in a: f32[n, m, k, 3], u: f64[70, 600]\n"
      "out b: f32[n, m, k, 3], v: f64[70, 600], s: f64\n"
      "foreach i in 0..n, j in 0..m, l in 0..k, c in 0..3 { b[i, j, l, c] = a[i, j, l, c] * 2 }\n"
      "foreach i in n - 1..-1 step -2, j in 1..m - 1, l in 0..k step 3, c in 0..3 {\n"
      "  b[i, j, l, c] += a[i, j + 1, l, c] - a[i, j - 1, l, c] + f32(i - l) }\n"
      "foreach i in 1..69, j in 1..599 { v[i, j] = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] +\n"
      "  u[i, j + 1] + sum(d in -1..2, e in -1..2) u[i + d, j + e] }\n"
      "s = sum(i in 0..70, j in 599..-1 step -1) v[i, j] }",
      data);
}

TEST(Cpu, EmptySweepsDoNothingAndFoldToNothing) {
  OwnedArguments data;
  data.add("a", ScalarType::F64, {0});
  data.add("b", ScalarType::F64, {0});

  const Ran run = expect_as_interpreted(
      "program p(n: size) { in a: f64[n]\n out b: f64[n], s: f64, t: f64\n"
      "foreach i in 0..n { b[i] = a[i]\n t += a[i] }\n s = min(i in 0..n) a[i] }",
      data);

  EXPECT_EQ(run.outcome.status, ir::Status::Completed);
}

TEST(Cpu, EveryStorageTypeIsLoadedAndStored) {
  OwnedArguments data;
  add_filled(data, "h", ScalarType::F16, {3000});
  add_filled(data, "g", ScalarType::BF16, {3000});
  data.add("f", ScalarType::Bool, {3000});
  for (std::size_t i = 0; i < 3000; ++i) {
    data.buffers.at("f").bytes[i] = static_cast<std::byte>(i % 4 == 0 ? 0 : i % 256);
  }
  data.add("h2", ScalarType::F16, {3000});
  data.add("g2", ScalarType::BF16, {3000});
  data.add("f2", ScalarType::Bool, {3000});

  expect_as_interpreted(
      "program p(n: size) { in h: f16[n], g: bf16[n], f: bool[n]\n"
      "out h2: f16[n], g2: bf16[n], f2: bool[n], c: i64\n"
      "foreach i in 0..n { h2[i] = h[i] * g[i]\n g2[i] = h[n - 1 - i] + g[i]\n"
      "  f2[i] = f[i] && !f[n - 1 - i] }\n c = count(i in 0..n) (f2[i]) }",
      data);
}

TEST(Cpu, CollidingAdditionsLoseNothing) {
  OwnedArguments data;
  add_filled(data, "a", ScalarType::I32, {100'000});
  data.add("h", ScalarType::I32, {16});
  data.add("g", ScalarType::I64, {1});

  expect_as_interpreted(
      "program p(n: size) { in a: i32[n]\n inout h: i32[16], g: i64[1]\n"
      "foreach i in 0..n { scatter h[(a[i] + 8) % 16] += a[i]\n scatter g[0] += i } }",
      data);
}

TEST(Cpu, TheSameExecutorRunsAgainOnOtherData) {
  const auto program = support::parse_ok(
      "program p(n: size) { in a: f64[n]\n out s: f64\n temp t: f64[n]\n"
      "foreach i in 0..n { t[i] = t[i] + a[i] }\n s = sum(i in 0..n) t[i] }");
  const auto plan = lower(program);
  const auto executor = make_cpu_executor(plan, {2});

  for (const std::int64_t n : {10, 100'000, 0, 3000}) {
    auto data = with_buffer("a", ScalarType::F64, {n});
    const auto expected = ir::interpret(program, data.view(program));

    const auto actual = executor->run(ir::resolve(plan->symbols, data.view(program)), {});

    EXPECT_TRUE(same(actual.scalars.at("s"), expected.scalars.at("s"))) << n;
  }
}

TEST(Cpu, CancelEndsALoopBeforeItsNextTrip) {
  const auto program = support::parse_ok("program p() { out k: i64\n while true { k += 1 } }");
  std::atomic<bool> cancel = false;
  ir::RunOptions options;
  options.cancel = &cancel;
  options.on_trip = [&](std::string_view, std::uint64_t trip, auto) { cancel = trip == 10; };

  const Ran run = run_on_cpu(program, {}, 1, options);

  EXPECT_EQ(run.outcome.status, ir::Status::Cancelled);
  EXPECT_EQ(run.outcome.trips.at("p/while#0"), 11);
}

TEST(Cpu, ACallWithoutHostFunctionIsNamed) {
  auto callee = std::make_shared<ir::Callee>();
  callee->name = "spmv";
  callee->accesses = {ir::Access::Write};
  const auto program =
      support::parse_ok("program p() { out s: f64\n call spmv(s) }", {{"spmv", callee}});

  try {
    run_on_cpu(program, {}, 1);
    FAIL() << "it ran";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("spmv"), std::string::npos);
  }
}

}  // namespace
}  // namespace gyre::executors
