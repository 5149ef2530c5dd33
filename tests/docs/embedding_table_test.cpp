// The table of docs/embedding.md that puts the builder beside the text is true: each of its cells
// stands here, and both columns are one program.
#include "support/programs.hpp"
#include "support/snippets.hpp"

#include <gyre/gyre.hpp>
#include <gyre/text/printer.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

// Bodies are empty, as in the table.
#pragma GCC diagnostic ignored "-Wunused-parameter"

struct CUstream_st;
using cudaStream_t = CUstream_st*;

namespace {

using namespace gyre;

std::string printed(const char* text, const text::CallRegistry& calls = {}) {
  return text::print(support::parse_ok(text, calls));
}

// What a call of the table does.
void work(cudaStream_t, const double*) {}

TEST(EmbeddingTable, ItsCellsStandHere) {
  const auto rows = support::table_of_code("docs/embedding.md", "| text | C++ |");
  const std::string here =
      support::read_file(support::in_repository("tests/docs/embedding_table_test.cpp"));

  EXPECT_GE(rows.size(), 27u);
  for (const auto& [text, code] : rows) {
    EXPECT_TRUE(support::stands_in(text, here)) << text;
    EXPECT_TRUE(support::stands_in(code, here)) << code;
  }
}

TEST(EmbeddingTable, Declarations) {
  gyre::Program p("p");
  auto n = p.size("n");
  auto m = p.size("m");
  auto x = p.in<double>("x", {n, m});
  auto rtol = p.in("rtol", 1e-8);
  auto r = p.temp<gyre::f16>("r", {n});
  auto e = p.in<double>("e");
  auto a = p.let("a", e);

  EXPECT_EQ(text::print(p.finish()), printed(R"(program p(n: size, m: size) {
    in x: f64[n, m]
    in rtol: f64 = 1e-8
    temp r: f16[n]
    in e: f64
    let a = e
  })"));
}

TEST(EmbeddingTable, Stores) {
  gyre::Program p("p");
  auto n = p.size("n");
  auto x = p.out<double>("x", {n, n});
  auto y = p.out<std::int32_t>("y", {n});
  auto s = p.out<double>("s");
  auto a = p.in<double>("a");
  auto b = p.in<double>("b");
  auto c = p.in<bool>("c");
  auto e = p.in<double>("e");
  auto i = p.in<std::int32_t>("i");
  auto j = p.in<std::int32_t>("j");
  s += e;
  x(i, j) = e;
  s = cast<float>(e);
  s = select(c, a, b);
  p.foreach(range("k", 0, n), [&](auto k) { scatter(y[k]) += 1; });

  EXPECT_EQ(text::print(p.finish()), printed(R"(program p(n: size) {
    out x: f64[n, n], y: i32[n], s: f64
    in a: f64, b: f64, c: bool, e: f64, i: i32, j: i32
    s += e
    x[i, j] = e
    s = f32(e)
    s = select(c, a, b)
    foreach k in 0..n { scatter y[k] += 1 }
  })"));
}

TEST(EmbeddingTable, ParallelLoopsAndFolds) {
  gyre::Program p("p");
  auto n = p.size("n");
  auto m = p.size("m");
  auto a = p.in<std::int64_t>("a");
  auto b = p.in<std::int64_t>("b");
  auto e = p.in<double>("e");
  auto s = p.out<double>("s");
  p.foreach(range(0, n) * range(0, m), [&](auto i, auto j) {});
  p.foreach(range(0, n), gyre::Team::Block, [&](auto i) {});
  p.foreach(range(0, n), gyre::independent, [&](auto i) {});
  s = sum(range("k", a, b), [&](auto k) { return e; });
  s = sum(a, b, [&](auto) { return e; });

  EXPECT_EQ(text::print(p.finish()), printed(R"(program p(n: size, m: size) {
    in a: i64, b: i64, e: f64
    out s: f64
    foreach i in 0..n, j in 0..m { }
    foreach i in 0..n team block { }
    foreach i in 0..n independent { }
    s = sum(k in a..b) (e)
    s = sum(i in a..b) (e)
  })"));
}

TEST(EmbeddingTable, LoopsAndBranches) {
  gyre::Program p("p");
  auto n = p.size("n");
  auto x = p.in<double>("x", {n});
  auto y = p.out<double>("y", {n});
  auto s = p.in<std::int32_t>("s");
  auto c = p.in<bool>("c");
  auto d = p.in<bool>("d");
  p.for_(range(n, 0).step(-1), [&](auto i) {});
  p.while_(c, {.limit = 9}, [&] {});
  p.do_([&] {}).while_(c);
  p.if_(c, [&] {}).else_if(d, [&] {}).else_([&] {});
  p.switch_(s).case_({1, Label(3, 5)}, [&] {}).default_([&] {});
  p.copy(y, x);
  p.fill(y, 0);
  p.fork([&] {}, [&] {});
  p.while_(c, [&] {
    p.if_(d, [&] { p.break_(); });
    p.continue_();
  });
  p.stop("why", 3);

  EXPECT_EQ(text::print(p.finish()), printed(R"(program p(n: size) {
    in x: f64[n]
    out y: f64[n]
    in s: i32, c: bool, d: bool
    for i in n..0 step -1 { }
    while c limit 9 { }
    do { } while c
    if c { } else if d { } else { }
    switch s { case 1, 3..5 { } default { } }
    copy y = x
    fill y = 0
    fork { } and { }
    while c {
      if d { break }
      continue
    }
    stop "why", 3
  })"));
}

TEST(EmbeddingTable, Primitives) {
  gyre::Program p("p");
  auto n = p.size("n");
  auto x = p.in<double>("x", {n});
  auto k = p.in<std::int32_t>("k", {n});
  auto y = p.out<double>("y", {n});
  auto vs = p.out<double>("vs", {n});
  auto best = p.out<double>("best", {4});
  auto ks = p.out<std::int32_t>("ks", {n});
  auto h = p.out<std::int32_t>("h", {n});
  auto at = p.out<std::int64_t>("at", {4});
  auto m = p.out<std::int64_t>("m");
  p.scan<FoldOp::Sum>(
      range(0, n), y, [&](auto i) { return x[i]; }, exclusive);
  p.sort(
      range(0, n), y, [&](auto i) { return x[i]; }, descending);
  p.sort_by_key(
      range(0, n), ks, vs, [&](auto i) { return k[i]; }, [&](auto i) { return x[i]; });
  p.compact(
      range(0, n), y, m, [&](auto i) { return x[i]; }, [&](auto i) { return x[i] > 0; });
  p.topk(
      range(0, n), best, at, [&](auto i) { return x[i]; }, smallest);
  p.histogram(range(0, n), h, [&](auto i) { return k[i]; });
  p.reduce_by_key<FoldOp::Max>(
      range(0, n), ks, y, m, [&](auto i) { return k[i]; }, [&](auto i) { return x[i]; });

  EXPECT_EQ(text::print(p.finish()), printed(R"(program p(n: size) {
    in x: f64[n], k: i32[n]
    out y: f64[n], vs: f64[n], best: f64[4], ks: i32[n], h: i32[n], at: i64[4], m: i64
    scan(i in 0..n) y = sum x[i] exclusive
    sort(i in 0..n) y = x[i] descending
    sort(i in 0..n) ks, vs = k[i], x[i]
    compact(i in 0..n) y, m = x[i] where x[i] > 0
    topk(i in 0..n) best, at = x[i] smallest
    histogram(i in 0..n) h = k[i]
    reduce_by_key(i in 0..n) ks, y, m = k[i], max x[i]
  })"));
}

TEST(EmbeddingTable, Calls) {
  using ir::Access;
  gyre::Program p("p");
  auto n = p.size("n");
  auto x = p.in<double>("x", {n});
  auto y = p.out<double>("y", {n});
  p.call("spmv", reads(x), writes(y), [=](CallContext& c) { work(c.stream(), c.ptr(x)); });
  p.call("spmv", reads(x), writes(y), [=](HostCallContext& c) { work(nullptr, c.span(x).data()); });

  const ir::Callee callee{"spmv", {Access::Read, Access::Write}, nullptr};
  EXPECT_EQ(text::print(p.finish()),
            printed(R"(program p(n: size) {
    in x: f64[n]
    out y: f64[n]
    call spmv(x, y)
    call spmv(x, y)
  })",
                    {{"spmv", std::make_shared<const ir::Callee>(callee)}}));
}

}  // namespace
