#include "built_program.hpp"

#include <gtest/gtest.h>

namespace gyre::verifier {
namespace {

using ir::ScalarType;

TEST(VerifyStructure, AProgramWithoutABodyIsIncomplete) {
  ir::Program program;
  Diagnostics diagnostics;

  verify(program, diagnostics);

  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].rule, "incomplete-region");
}

TEST(VerifyStructure, ALoopWithoutAConditionIsIncompleteAndNothingElseIsSaid) {
  BuiltProgram p;
  p.items.push_back(ir::make_region(ir::While{.condition = nullptr, .body = ir::make_seq({})}));
  p.items.push_back(ir::make_region(ir::Break{}));

  EXPECT_EQ(p.broken_rules(), Broken{"incomplete-region"});
}

TEST(VerifyStructure, BlocksMayBeNestedUpToTheLimitAndNotDeeper) {
  const auto nested = [](std::uint32_t blocks) {
    BuiltProgram p;
    const auto flag = p.scalar("go", ScalarType::Bool, ir::Intent::Inout);
    auto body = ir::make_seq({});
    for (std::uint32_t i = 1; i < blocks; ++i) {
      body = ir::make_seq({ir::make_region(ir::While{.condition = p.read(flag), .body = body})});
    }
    p.items.push_back(body);
    return p.broken_rules();
  };

  EXPECT_EQ(nested(ir::max_region_depth), Broken{});
  EXPECT_EQ(nested(ir::max_region_depth + 1), Broken{"region-depth"});
  EXPECT_EQ(nested(5000), Broken{"region-depth"});
}

TEST(VerifyStructure, ExpressionsMayBeNestedUpToTheLimitAndNotDeeper) {
  const auto nested = [](std::uint32_t height) {
    BuiltProgram p;
    const auto x = p.scalar("x", ScalarType::F64, ir::Intent::Inout);
    auto sum = p.read(x);
    while (sum->depth < height) sum = ir::make_apply(ir::Op::Neg, {sum});
    p.items.push_back(p.assign(x, sum));
    return p.broken_rules();
  };

  EXPECT_EQ(nested(ir::max_expr_depth), Broken{});
  EXPECT_EQ(nested(ir::max_expr_depth + 1), Broken{"expr-depth"});
}

TEST(VerifyStructure, AnExpressionThatSharesItsNodesIsVisitedByNodesAndNotByItsTree) {
  BuiltProgram p;
  const auto x = p.scalar("x", ScalarType::F64, ir::Intent::Inout);
  auto sum = p.read(x);
  for (int i = 0; i < 100; ++i) sum = ir::make_apply(ir::Op::Add, {sum, sum});
  p.items.push_back(p.assign(x, sum));

  EXPECT_EQ(p.broken_rules(), Broken{});
}

TEST(VerifyStructure, ASymbolOfAnotherProgramIsUnknown) {
  BuiltProgram p;
  p.scalar("x", ScalarType::F64);
  p.items.push_back(ir::make_region(ir::Assign{
      {static_cast<ir::SymbolId>(7), {}, {}}, std::nullopt, ir::make_literal(ir::Value(1.0))}));

  EXPECT_EQ(p.broken_rules(), Broken{"unknown-symbol"});
}

TEST(VerifyStructure, ThousandsOfBranchesAndCasesAreLegal) {
  BuiltProgram p;
  const auto x = p.scalar("x", ScalarType::I32, ir::Intent::Inout);
  for (int i = 0; i < 4096; ++i) {
    const auto condition = ir::make_apply(ir::Op::Gt, {p.read(x), BuiltProgram::number(i)});
    p.items.push_back(ir::make_region(
        ir::If{condition, ir::make_seq({p.assign(x, BuiltProgram::number(i))}), nullptr}));
  }
  ir::Switch choice{.selector = p.read(x), .cases = {}, .otherwise = nullptr};
  for (int i = 0; i < 5000; ++i) {
    choice.cases.push_back({{{5000 - i, 5001 - i}}, ir::make_seq({}), {}});
  }
  p.items.push_back(ir::make_region(choice));

  EXPECT_EQ(p.broken_rules(), Broken{});
}

}  // namespace
}  // namespace gyre::verifier
