#include "gyre/gyre.hpp"
#include "gyre/text/printer.hpp"
#include "support/programs.hpp"

#include <gtest/gtest.h>

namespace gyre::builder {
namespace {

// Both forms of one program print alike.
void expect_same(gyre::Program& built, const std::string& text) {
  EXPECT_EQ(text::print(built.finish()), text::print(support::parse_ok(text)));
}

TEST(BuilderPrint, ControlFlowIsThatOfTheText) {
  gyre::Program p("control");
  auto mode = p.in<std::int32_t>("mode");
  auto a = p.inout<double>("a", 1.5);
  p.do_([&] {
     p.if_(a > 2, [&] { p.break_(); }).else_if(a > 1, [&] { a -= 1; }).else_([&] {
       p.continue_();
     });
   }).while_(a > 0, {.limit = 10, .expect = 3});
  p.for_(range("s", 9, mode).step(-2), [&](auto s) {
    p.switch_(s)
        .case_({1, Label(3, 5)}, [&] { p.stop("early", s * 2); })
        .case_(7, [&] { p.stop("late"); })
        .default_([&] { a = cast<double>(s); });
  });

  expect_same(p, R"(program control() {
    in mode: i32
    inout a: f64 = 1.5
    do {
      if a > 2 { break } else if a > 1 { a -= 1 } else { continue }
    } while a > 0 limit 10 expect 3
    for s in 9..mode step -2 {
      switch s {
        case 1, 3..5 { stop "early", s * 2 }
        case 7 { stop "late" }
        default { a = f64(s) }
      }
    }
  })");
}

TEST(BuilderPrint, WorkOnBuffersIsThatOfTheText) {
  gyre::Program p("work");
  auto n = p.size("n");
  auto m = p.size("m");
  auto at = p.in<std::int32_t>("at", {n});
  auto h = p.in<f16>("h", {n});
  auto x = p.out<float>("x", {n, 2 * m});
  auto y = p.out<float>("y", {n, 2 * m});
  auto hits = p.inout<std::int64_t>("hits", {m});
  auto any_nan = p.out<bool>("any_nan");
  p.fill(x, 0.5);
  p.copy(y, x);
  p.foreach(range(0, n) * range(0, 2 * m), [&](auto i, auto j) {
    auto v = p.var("v", h[i] * 2);
    v += constant<float>(1);
    x(i, j) = select(j < i, sqrt(v), 1);
  });
  p.foreach(range(0, n), independent, [&](auto i) {
    scatter(y(at[i], 0)) = 3;
    scatter(hits[at[i]]) += 1;
  });
  p.foreach(range(0, n), Team::Block,
            [&](auto i) { y(i, 0) = sum(range(0, m), [&](auto j) { return x(i, j); }); });
  any_nan = any(range(0, n) * range(0, m), [&](auto i, auto j) { return is_nan(x(i, j)); });

  expect_same(p, R"(program work(n: size, m: size) {
    in at: i32[n], h: f16[n]
    out x: f32[n, 2 * m], y: f32[n, 2 * m]
    inout hits: i64[m]
    out any_nan: bool
    fill x = 0.5
    copy y = x
    foreach i in 0..n, j in 0..2 * m {
      var v: f32 = h[i] * 2
      v += f32(1)
      x[i, j] = select(j < i, sqrt(v), 1)
    }
    foreach i in 0..n independent {
      scatter y[at[i], 0] = 3
      scatter hits[at[i]] += 1
    }
    foreach i in 0..n team block {
      y[i, 0] = sum(j in 0..m) x[i, j]
    }
    any_nan = any(i in 0..n, j in 0..m) (isnan(x[i, j]))
  })");
}

}  // namespace
}  // namespace gyre::builder
