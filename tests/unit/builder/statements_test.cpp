#include "built.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace gyre::builder {
namespace {

TEST(BuilderStatements, AssignmentsHappenInTheirOrder) {
  Program p("assign");
  auto a = p.out("a", 1);
  auto b = p.out("b", 10);
  a = b;
  b += a;
  b -= 2;
  b *= 3;
  b /= 4;
  a %= 3;

  const auto outcome = run(p);

  EXPECT_EQ(outcome.scalars.at("a").as<std::int32_t>(), 1);
  EXPECT_EQ(outcome.scalars.at("b").as<std::int32_t>(), 13);
}

TEST(BuilderStatements, BitwiseAssignmentsTakeIntegersAndBools) {
  Program p("bits");
  auto a = p.out<std::int64_t>("a", 0b1100);
  auto c = p.out("c", true);
  a &= 0b0110;
  a |= 0b0001;
  a ^= 0b1111;
  c ^= true;

  const auto outcome = run(p);

  EXPECT_EQ(outcome.scalars.at("a").as<std::int64_t>(), 0b1010);
  EXPECT_FALSE(outcome.scalars.at("c").as<bool>());
}

TEST(BuilderStatements, ALetIsComputedOnceWhereItStands) {
  Program p("let");
  auto a = p.out("a", 3);
  auto kept = p.let("kept", a * 2);
  const auto again = a * 2;
  a = 100;
  auto b = p.out<std::int32_t>("b");
  auto c = p.out<std::int32_t>("c");
  b = kept;
  c = again;

  const auto outcome = run(p);

  EXPECT_EQ(outcome.scalars.at("b").as<std::int32_t>(), 6);
  EXPECT_EQ(outcome.scalars.at("c").as<std::int32_t>(), 200);
}

TEST(BuilderStatements, AForeachRunsOverAProductOfRanges) {
  Program p("outer_product");
  auto n = p.size("n");
  auto m = p.size("m");
  auto a = p.out<std::int64_t>("a", {n, m});
  p.foreach(range(0, n) * range("column", 0, m), [&](auto i, auto j) { a(i, j) = 10 * i + j; });
  std::vector<std::int64_t> memory(6);

  run(p, {.sizes = {}, .scalars = {}, .buffers = {{"a", view(memory, {2, 3})}}});

  EXPECT_EQ(memory, (std::vector<std::int64_t>{0, 1, 2, 10, 11, 12}));
}

TEST(BuilderStatements, WhatIsDeclaredAheadStandsAtTheTopLevel) {
  Program p("ahead");
  const auto n = p.size("n");
  p.foreach(range("s", 0, n), Team::Warp, [&](auto s) {
    const auto m = p.ahead([&] { return p.size("m"); });
    const auto y = p.ahead([&] { return p.out<double>("y", {n, m}); });
    const auto twice = p.ahead([&] { return p.temp<double>("twice", {n, m}); });
    p.foreach(0, m, [&](auto i) { twice(s, i) = cast<double>(2 * i + s); });
    p.foreach(0, m, [&](auto i) { y(s, i) = twice(s, m - 1 - i); });
  });
  std::vector<double> y(6);

  run(p, {.sizes = {}, .scalars = {}, .buffers = {{"y", view(y, {2, 3})}}});

  EXPECT_EQ(y, (std::vector<double>{4, 2, 0, 5, 3, 1}));
}

TEST(BuilderStatements, WhatThrowsAheadBreaksTheBodyOff) {
  Program p("thrown");
  const auto throws = [&] { return p.ahead([]() -> int { throw std::runtime_error("no"); }); };
  EXPECT_THROW(p.foreach(0, 3, [&](auto) { throws(); }), std::runtime_error);
  EXPECT_THROW(p.finish(), UsageError);
}

TEST(BuilderStatements, AForkHasAnArmForEachBody) {
  Program p("fork");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {n});
  auto y = p.inout<double>("y", {n});
  auto trips = p.out("trips", 0);
  p.fork([&] { p.foreach(0, n, [&](auto i) { x[i] += 1; }); },
         [&] {
           p.while_(trips < 3, [&] {
             p.foreach(0, n, [&](auto i) { y[i] *= 2; });
             trips += 1;
           });
         },
         [] {});
  std::vector<double> left = {1, 2};
  std::vector<double> right = {1, 2};

  const auto outcome =
      run(p, {.sizes = {}, .scalars = {}, .buffers = {{"x", view(left)}, {"y", view(right)}}});

  EXPECT_EQ(left, (std::vector<double>{2, 3}));
  EXPECT_EQ(right, (std::vector<double>{8, 16}));
  EXPECT_EQ(outcome.trips.at("fork/fork#0/arm1/while#0"), 3u);
}

TEST(BuilderStatements, ArmsOfAForkShareNothingThatOneWrites) {
  Program p("shared");
  auto a = p.out("a", 0);
  auto b = p.out("b", 0);
  p.fork([&] { a = 1; }, [&] { b = a; });

  EXPECT_EQ(broken_rules(p), std::vector<std::string>{"shared-by-arms"});
}

TEST(BuilderStatements, AForeachMayPromiseIndependence) {
  Program p("shift");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {2 * n});
  p.foreach(range(0, n), independent, [&](auto i) { x[i] = x[i + n]; });
  std::vector<double> memory = {0, 0, 3, 4};

  run(p, {.sizes = {}, .scalars = {}, .buffers = {{"x", view(memory)}}});

  EXPECT_EQ(memory, (std::vector<double>{3, 4, 3, 4}));
}

TEST(BuilderStatements, LoopsWithinAnIndexMayLeaveEarly) {
  Program p("first_factor");
  auto n = p.size("n");
  auto factor = p.out<std::int64_t>("factor", {n});
  p.foreach(0, n, [&](auto i) {
    auto found = p.var<std::int64_t>("found");
    p.for_(2, i + 1, [&](auto d) {
      p.if_(i % d != 0, [&] { p.continue_(); });
      found = d;
      p.break_();
    });
    factor[i] = found;
  });
  std::vector<std::int64_t> memory(10);

  run(p, {.sizes = {}, .scalars = {}, .buffers = {{"factor", view(memory)}}});

  EXPECT_EQ(memory, (std::vector<std::int64_t>{0, 0, 2, 3, 2, 5, 2, 7, 2, 3}));
}

TEST(BuilderStatements, ForCountsByItsStep) {
  Program p("down");
  auto sum = p.out("sum", 0);
  auto trips = p.out("trips", 0);
  p.for_(range(9, 0).step(-2), [&](auto i) {
    sum += i;
    trips += 1;
  });

  const auto outcome = run(p);

  EXPECT_EQ(outcome.scalars.at("sum").as<std::int32_t>(), 9 + 7 + 5 + 3 + 1);
  EXPECT_EQ(outcome.scalars.at("trips").as<std::int32_t>(), 5);
}

TEST(BuilderStatements, IfChainsTakeTheFirstThatHolds) {
  for (const int value : {1, 2, 3, 4}) {
    Program p("chain");
    auto v = p.in<std::int32_t>("v");
    auto arm = p.out<std::int32_t>("arm");
    p.if_(v == 1, [&] { arm = 10; })
        .else_if(v == 2, [&] { arm = 20; })
        .else_if(v == 3, [&] { arm = 30; })
        .else_([&] { arm = 40; });

    const auto outcome = run(p, {.sizes = {}, .scalars = {{"v", ir::Value(value)}}, .buffers = {}});

    EXPECT_EQ(outcome.scalars.at("arm").as<std::int32_t>(), 10 * value);
  }
}

TEST(BuilderStatements, SwitchesTakeLabelsAndRangesOfLabels) {
  const auto chosen = [](std::int32_t selector) {
    Program p("choose");
    auto v = p.in<std::int32_t>("v");
    auto arm = p.out<std::int32_t>("arm");
    p.switch_(v)
        .case_(7, [&] { arm = 1; })
        .case_({-1, Label(10, 20)}, [&] { arm = 2; })
        .default_([&] { arm = 3; });
    return run(p, {.sizes = {}, .scalars = {{"v", ir::Value(selector)}}, .buffers = {}})
        .scalars.at("arm")
        .as<std::int32_t>();
  };

  EXPECT_EQ(chosen(7), 1);
  EXPECT_EQ(chosen(-1), 2);
  EXPECT_EQ(chosen(10), 2);
  EXPECT_EQ(chosen(19), 2);
  EXPECT_EQ(chosen(20), 3);
}

TEST(BuilderStatements, DoTestsAfterItsFirstTrip) {
  Program p("once");
  auto trips = p.out("trips", 0);
  p.do_([&] { trips += 1; }).while_(false);

  const auto outcome = run(p);

  EXPECT_EQ(outcome.scalars.at("trips").as<std::int32_t>(), 1);
  EXPECT_EQ(outcome.trips.at("once/do#0"), 1u);
}

TEST(BuilderStatements, ALoopsLimitEndsTheLaunch) {
  Program p("endless");
  p.while_(true, {.limit = 5, .expect = 2}, [&] {});

  const auto outcome = run(p);

  EXPECT_EQ(outcome.status, ir::Status::TripLimit);
  EXPECT_EQ(outcome.trips.at("endless/while#0"), 5u);
}

TEST(BuilderStatements, StopGivesItsLabelAndCode) {
  Program p("halt");
  auto code = p.in<std::int32_t>("code");
  p.while_(true, [&] { p.stop("enough", code + 1); });

  const auto outcome = run(p, {.sizes = {}, .scalars = {{"code", ir::Value(4)}}, .buffers = {}});

  EXPECT_EQ(outcome.status, ir::Status::Stopped);
  EXPECT_EQ(outcome.label, "enough");
  EXPECT_EQ(outcome.code, 5);
}

TEST(BuilderStatements, CopyFillAndScatterWriteWholeBuffers) {
  Program p("memory");
  auto n = p.size("n");
  auto at = p.in<std::int32_t>("at", {n});
  auto x = p.out<double>("x", {n});
  auto y = p.out<double>("y", {n});
  auto hits = p.inout<std::int32_t>("hits", {n});
  p.fill(x, 2.5);
  p.copy(y, x);
  p.foreach(0, n, [&](auto i) {
    scatter(x[at[i]]) = cast<double>(i);
    scatter(hits[0]) += 1;
  });
  std::vector<std::int32_t> places = {2, 0, 1};
  std::vector<std::int32_t> counts = {5, 5, 5};
  std::vector<double> a(3);
  std::vector<double> b(3);

  run(p,
      {.sizes = {},
       .scalars = {},
       .buffers = {{"at", view(places)}, {"x", view(a)}, {"y", view(b)}, {"hits", view(counts)}}});

  EXPECT_EQ(a, (std::vector<double>{1, 2, 0}));
  EXPECT_EQ(b, (std::vector<double>{2.5, 2.5, 2.5}));
  EXPECT_EQ(counts, (std::vector<std::int32_t>{8, 5, 5}));
}

TEST(BuilderStatements, HalvesAreStoredRounded) {
  Program p("halves");
  auto h = p.out<f16>("h", {1});
  auto w = p.out<bf16>("w", {1});
  h[0] = 0.1;
  w[0] = h[0];
  std::vector<f16> half(1);
  std::vector<bf16> wide(1);

  run(p, {.sizes = {}, .scalars = {}, .buffers = {{"h", view(half)}, {"w", view(wide)}}});

  EXPECT_EQ(static_cast<float>(half[0]), 0.0999755859375f);
  EXPECT_EQ(static_cast<float>(wide[0]), 0.10009765625f);
}

TEST(BuilderStatements, AVarStartsAfreshOnEachTrip) {
  Program p("fresh");
  auto last = p.out<std::int32_t>("last");
  p.for_(0, 3, [&](auto) {
    auto v = p.var("v", 1);
    v += 1;
    last = v;
  });

  EXPECT_EQ(run(p).scalars.at("last").as<std::int32_t>(), 2);
}

}  // namespace
}  // namespace gyre::builder
