#include "gyre/ir/strands.hpp"
#include "support/cpu_run.hpp"
#include "support/programs.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

// The shape of an outer fold by its definition, one strand at a time.

double sum_by_definition(const std::vector<double>& terms, std::int64_t first, std::int64_t width,
                         std::int64_t strands) {
  const auto m = static_cast<std::int64_t>(terms.size());
  if (width == 1) {
    double sum = terms[first];
    for (std::int64_t t = first + strands; t < m; t += strands) sum += terms[t];
    return sum;
  }
  const double left = sum_by_definition(terms, first, width / 2, strands);
  if (first + width / 2 >= m) return left;
  return left + sum_by_definition(terms, first + width / 2, width / 2, strands);
}

TEST(Cpu, OuterSumHasTheStrandShapeAtEverySize) {
  for (const std::int64_t m : {1, 2, 511, 513, 1025, 100'003, 262'144, 262'145, 700'001}) {
    auto data = with_buffer("a", ScalarType::F64, {m});
    std::vector<double> terms;
    for (std::int64_t i = 0; i < m; ++i) terms.push_back(data.buffers.at("a").at(i).as<double>());
    const auto width = strands::outer(m);
    const double expected = sum_by_definition(terms, 0, width, width);
    const auto program = support::parse_ok(
        "program p(n: size) { in a: f64[n]\n out s: f64\n"
        "s = sum(i in 0..n) a[i] }");

    for (const int threads : {1, 2, 7}) {
      const Ran run = run_on_cpu(program, data, threads);

      EXPECT_EQ(run.outcome.scalars.at("s").as<double>(), expected) << m << ", " << threads;
    }
  }
}

TEST(Cpu, EveryOuterFoldIsAsInterpreted) {
  for (const char* type : {"i32", "i64", "f32", "f64"}) {
    const auto scalar = *ir::parse_scalar_type(type);
    const auto data = with_buffer("a", scalar, {300'007});
    const std::string t = type;

    expect_as_interpreted("program p(n: size) { in a: " + t + "[n]\n out s: " + t + ", q: " + t +
                              ", lo: " + t + ", hi: " + t + ", at: i64, to: i64, c: i64\n" +
                              "s = sum(i in 0..n) a[i]\n q = prod(i in 0..n) a[i]\n" +
                              "lo = min(i in 0..n) a[i]\n hi = max(i in 0..n) a[i]\n" +
                              "at = argmin(i in 0..n) a[i]\n to = argmax(i in 0..n) a[i]\n" +
                              "c = count(i in 0..n) (a[i] > a[0]) }",
                          data);
  }
}

TEST(Cpu, AnyAndAllOfEmptyAndFullRanges) {
  expect_as_interpreted(
      "program p(n: size) { in a: i32[n]\n out x: bool, y: bool, z: bool, w: bool, e: i64\n"
      "x = any(i in 0..n) (a[i] == 7)\n y = all(i in 0..n) (a[i] < 9)\n"
      "z = any(i in 0..0) (a[i] == 7)\n w = all(i in 5..3) (a[i] == 7)\n"
      "e = argmin(i in 0..0) a[i] }",
      with_buffer("a", ScalarType::I32, {70'000}));
}

TEST(Cpu, RowsOfEveryLengthKeepTheInnerShape) {
  std::vector<std::int32_t> lengths;
  for (std::int32_t length = 0; length < 70; ++length) lengths.push_back(length);
  for (const std::int32_t length : {255, 1023, 1024, 1025, 5000, 0, 3, 2048, 1}) {
    lengths.push_back(length);
  }
  for (int i = 0; i < 3000; ++i) lengths.push_back(i % 9);

  expect_as_interpreted(spmv, matrix(lengths, 500));
}

TEST(Cpu, SumsOverIndicesThatAreReachedNeverOnceOrOften) {
  expect_as_interpreted(
      "program p(n: size) { in a: f64[n]\n out s: f64, t: f64, u: f64\n"
      "foreach i in 0..n { if a[i] > 1.0 { s += a[i] }\n"
      "  for k in 0..i % 4 { t += a[i] * f64(k) - 0.0 }\n u += 1.0 } }",
      with_buffer("a", ScalarType::F64, {270'001}));
}

TEST(Cpu, FoldsWithinFolds) {
  OwnedArguments data;
  add_filled(data, "a", ScalarType::F64, {200, 50});
  add_filled(data, "c", ScalarType::I32, {200});
  data.add("b", ScalarType::F64, {200});
  data.add("d", ScalarType::I64, {200});

  expect_as_interpreted(
      "program p(n: size, m: size) { in a: f64[n, m], c: i32[n]\n out b: f64[n], d: i64[n]\n"
      "foreach i in 0..n {\n"
      "  b[i] = sum(j in 0..m) a[i, j] * max(k in 0..j % 11) a[(i + k) % n, j] + a[i, 0]\n"
      "  d[i] = argmin(j in 0..m) sum(k in 0..c[i] + 8) a[k, j] * a[i, j]\n"
      "} }",
      data);
}

}  // namespace
}  // namespace gyre::executors
