#include "built.hpp"
#include "gyre/gyre.hpp"
#include "gyre/text/printer.hpp"
#include "support/programs.hpp"

#include <gtest/gtest.h>

namespace gyre::builder {
namespace {

TEST(BuilderPrimitives, AreThoseOfTheText) {
  gyre::Program p("primitives");
  auto n = p.size("n");
  auto x = p.in<double>("x", {n});
  auto k = p.in<std::int32_t>("k", {n});
  auto h = p.in<f16>("h", {n});
  auto y = p.out<double>("y", {n});
  auto c = p.out<std::int64_t>("c", {n});
  auto b = p.out<std::int32_t>("b", {n});
  auto g = p.out<f16>("g", {n});
  auto m = p.out<std::int32_t>("m");
  const auto all = range("i", 0, n);
  p.scan<FoldOp::Sum>(all, y, [&](auto i) { return x[i] * 2.0; });
  p.scan<FoldOp::Count>(
      all, c, [&](auto i) { return x[i] > 0.0; }, exclusive);
  p.sort(all, g, [&](auto i) { return h[i]; });
  p.sort(
      range("j", 0, m), y, [&](auto j) { return x[j]; }, descending);
  p.sort_by_key(
      all, b, c, [&](auto i) { return k[i]; }, [&](auto i) { return i; });
  p.sort_by_key(
      all, b, c, [&](auto i) { return k[i]; }, [&](auto) { return 1; }, descending);
  p.compact(
      all, y, m, [&](auto i) { return x[i]; }, [&](auto i) { return x[i] > 0.0; });
  p.topk(all, y, b, [&](auto i) { return x[i]; });
  p.topk(
      all, y, b, [&](auto i) { return x[i]; }, smallest);
  p.topk(all, y, [&](auto i) { return x[i]; });
  p.topk(
      all, y, [&](auto i) { return x[i]; }, smallest);
  p.histogram(all, b, [&](auto i) { return k[i]; });
  p.reduce_by_key<FoldOp::Max>(
      all, b, y, m, [&](auto i) { return k[i]; }, [&](auto i) { return x[i]; });

  EXPECT_EQ(text::print(p.finish()), text::print(support::parse_ok(R"(program primitives(n: size) {
    in x: f64[n], k: i32[n], h: f16[n]
    out y: f64[n], c: i64[n], b: i32[n], g: f16[n], m: i32
    scan(i in 0..n) y = sum x[i] * 2.0
    scan(i in 0..n) c = count x[i] > 0.0 exclusive
    sort(i in 0..n) g = h[i]
    sort(j in 0..m) y = x[j] descending
    sort(i in 0..n) b, c = k[i], i
    sort(i in 0..n) b, c = k[i], 1 descending
    compact(i in 0..n) y, m = x[i] where x[i] > 0.0
    topk(i in 0..n) y, b = x[i]
    topk(i in 0..n) y, b = x[i] smallest
    topk(i in 0..n) y = x[i]
    topk(i in 0..n) y = x[i] smallest
    histogram(i in 0..n) b = k[i]
    reduce_by_key(i in 0..n) b, y, m = k[i], max x[i]
  })")));
}

TEST(BuilderPrimitives, RefuseAStatementInAnOperand) {
  gyre::Program p("statement");
  auto n = p.size("n");
  auto y = p.out<double>("y", {n});
  auto s = p.var<double>("s");

  EXPECT_THROW(p.sort(range(0, n), y,
                      [&](auto) {
                        s = 1.0;
                        return 2.0;
                      }),
               UsageError);
}

TEST(BuilderPrimitives, RefuseAnOutputOfAnotherProgram) {
  gyre::Program p("one");
  gyre::Program other("other");
  auto n = p.size("n");
  auto y = other.out<double>("y", {8});

  EXPECT_THROW(p.sort(range(0, n), y, [&](auto) { return 2.0; }), UsageError);
}

}  // namespace
}  // namespace gyre::builder
