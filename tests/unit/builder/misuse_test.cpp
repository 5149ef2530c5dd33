#include "built.hpp"
#include "support/refusal.hpp"

#include <memory>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

namespace gyre::builder {
namespace {

using support::contains;
using support::refusal;

TEST(BuilderMisuse, AValueOfAnotherProgramIsRefused) {
  Program one("one");
  Program two("two");
  auto a = one.out<double>("a");
  auto b = two.out<double>("b");

  EXPECT_PRED2(contains, refusal([&] { a = b; }), "'one' was given a value of program 'two'");
  EXPECT_PRED2(contains, refusal([&] { (void)(a + b); }), "'one' and of 'two'");
  EXPECT_PRED2(contains, refusal([&] { one.while_(b > 0, [] {}); }), "'two'");
}

TEST(BuilderMisuse, NothingIsAddedAfterTheEnd) {
  Program p("done");
  auto a = p.out<double>("a");
  (void)p.finish();

  EXPECT_PRED2(contains, refusal([&] { a = 1; }), "'done' is finished");
  EXPECT_PRED2(contains, refusal([&] { p.var("v", 1); }), "'done' is finished");
  EXPECT_PRED2(contains, refusal([&] { (void)p.finish(); }), "'done' is finished");
}

TEST(BuilderMisuse, AProgramIsNotFinishedWithinABody) {
  Program p("inside");

  EXPECT_PRED2(contains, refusal([&] { p.while_(true, [&] { (void)p.finish(); }); }),
               "within one of its bodies");
}

TEST(BuilderMisuse, AnExceptionFromABodyReachesTheCallerAndSpoilsTheProgram) {
  Program p("thrown");
  auto throwing = [&] {
    p.while_(true, [&] { p.for_(0, 3, [](auto) { throw std::runtime_error("out of ideas"); }); });
  };

  EXPECT_THROW(throwing(), std::runtime_error);
  EXPECT_PRED2(contains, refusal([&] { (void)p.finish(); }), "broken off by an exception");
}

TEST(BuilderMisuse, AnExceptionFromAnOperandSpoilsTheProgram) {
  const auto fails = [](auto) -> Value<double> { throw std::runtime_error("out of ideas"); };
  Program folds("folds");
  EXPECT_THROW(sum(0, folds.size("n"), fails), std::runtime_error);
  Program scans("scans");
  auto n = scans.size("n");
  auto y = scans.out<double>("y", {n});
  EXPECT_THROW(scans.scan<FoldOp::Sum>(range(0, n), y, fails), std::runtime_error);

  for (Program* broken : {&folds, &scans}) {
    EXPECT_PRED2(contains, refusal([&] { (void)broken->finish(); }), "broken off by an exception");
  }
}

TEST(BuilderMisuse, ElseFollowsItsIf) {
  Program p("parted");
  auto a = p.out<double>("a");
  auto chain = p.if_(a > 0, [] {});
  a = 1;

  EXPECT_PRED2(contains, refusal([&] { chain.else_([] {}); }), "else_ must follow");
}

TEST(BuilderMisuse, AnIfHasOneElseAndItIsLast) {
  Program p("twice");
  auto a = p.out<double>("a");
  auto chain = p.if_(a > 0, [] {});
  chain.else_([] {});

  EXPECT_PRED2(contains, refusal([&] { chain.else_([] {}); }), "two else_");
  EXPECT_PRED2(contains, refusal([&] { chain.else_if(a > 1, [] {}); }), "follows an else_");
}

TEST(BuilderMisuse, AChainIsNotGoneOnWithInItsOwnBody) {
  Program p("nested");
  auto a = p.out<double>("a");
  std::optional<IfChain> chain;
  chain.emplace(p.if_(a > 0, [] {}));

  EXPECT_PRED2(contains, refusal([&] { p.while_(a > 0, [&] { chain->else_([] {}); }); }),
               "else_ must follow");
}

TEST(BuilderMisuse, ADoNeedsItsWhile) {
  Program p("half");
  auto trips = p.out("trips", 0);
  auto loop = p.do_([&] { trips += 1; });

  EXPECT_PRED2(contains, refusal([&] { (void)p.finish(); }), "do_ has no while_");
}

TEST(BuilderMisuse, AFoldsOperandRecordsNoStatement) {
  Program p("pure");
  auto n = p.size("n");
  auto a = p.out<double>("a");

  EXPECT_PRED2(contains, refusal([&] {
                 sum(0, n, [&](auto) {
                   a = 1;
                   return 1;
                 });
               }),
               "operand of a fold");
}

TEST(BuilderMisuse, AFoldOverConstantsNeedsAProgram) {
  EXPECT_PRED2(contains, refusal([] { sum(range(0, 3), [](auto i) { return i; }); }),
               "program.constant(0)");
}

TEST(BuilderMisuse, AnExpressionThatGrowsWithoutEndIsRefused) {
  Program p("growing");
  auto a = p.in("a", 1.0);

  const auto doubled = refusal([&] {
    auto grown = std::make_unique<Value<double>>(a);
    for (int i = 0; i < 100; ++i) grown = std::make_unique<Value<double>>(*grown + *grown);
  });

  EXPECT_PRED2(contains, doubled, "name its parts with let");
}

TEST(BuilderMisuse, HandlesOutliveTheProgramAndAreRefused) {
  std::optional<Scalar<double>> kept;
  {
    Program p("gone");
    kept.emplace(p.out<double>("a"));
  }

  EXPECT_PRED2(contains, refusal([&] { *kept = 1; }), "'gone' is finished");
}

TEST(BuilderMisuse, ACallAsksOnlyForWhatItNames) {
  Program p("stranger");
  auto a = p.in<double>("a", {1});
  auto b = p.out<double>("b", {1});
  p.call("work", writes(b), [=](HostCallContext& c) { c.span(b)[0] = c.span(a)[0]; });
  std::vector<double> one = {1};
  std::vector<double> two = {2};

  EXPECT_PRED2(
      contains, refusal([&] {
        run(p, {.sizes = {}, .scalars = {}, .buffers = {{"a", view(one)}, {"b", view(two)}}});
      }),
      "do not name");
}

TEST(BuilderMisuse, ACallHasEachFormOnce) {
  Program p("twice");
  auto y = p.out<double>("y", {1});
  const auto device = [](CallContext&) {};
  const auto host = [](HostCallContext&) {};

  EXPECT_PRED2(contains, refusal([&] { p.call("work", writes(y), device, device); }),
               "two device forms");
  EXPECT_PRED2(contains, refusal([&] { p.call("work", writes(y), host, host); }), "two host forms");
}

TEST(BuilderMisuse, ACallIsGuardedAtOnceOrNever) {
  Program p("late");
  auto a = p.out<double>("a");
  auto call = p.call("work", writes(a), [](CallContext&) {});
  a = 1;

  EXPECT_PRED2(contains, refusal([&] { call.guarded(); }), "guarded must follow");
  (void)p.finish();
  EXPECT_PRED2(contains, refusal([&] { call.on_host(); }), "'late' is finished");
}

TEST(BuilderMisuse, WhatATextGetsWrongTheVerifierExplains) {
  Program p("wrong");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {n});
  p.break_();
  p.foreach(0, n, [&](auto i) { x[i] = x[i + 1]; });

  EXPECT_EQ(broken_rules(p), (std::vector<std::string>{"jump-outside-loop", "stored-read"}));
}

TEST(BuilderMisuse, AnIndexIsGoneAfterItsLoop) {
  Program p("escaped");
  auto a = p.out<std::int64_t>("a");
  std::optional<Value<std::int64_t>> escaped;
  auto n = p.size("n");
  p.for_(0, n, [&](auto i) { escaped.emplace(i); });
  a = *escaped;

  EXPECT_EQ(broken_rules(p), std::vector<std::string>{"scope"});
}

TEST(BuilderMisuse, DiagnosticsPointAtTheLineOfCpp) {
  Program p("located");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {n});
  auto a = p.out<double>("a");
  const auto line = __LINE__ + 1;
  a = x(0, 0);

  const auto diagnostics = diagnose(p.finish());

  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].rule, "index-count");
  EXPECT_EQ(diagnostics.all()[0].loc.line, line);
  EXPECT_PRED2(contains, diagnostics.all()[0].loc.source->name, "misuse_test.cpp");
}

}  // namespace
}  // namespace gyre::builder
