#include "built_program.hpp"

#include <gtest/gtest.h>

namespace gyre::verifier {
namespace {

using ir::Intent;
using ir::ScalarType;
using ir::SymbolKind;

TEST(VerifyNames, ObjectsOfTheCallersHaveNamesOfTheirOwn) {
  BuiltProgram p;
  p.scalar("x", ScalarType::F64, Intent::In);
  p.scalar("x", ScalarType::F64, Intent::Out);

  EXPECT_EQ(p.broken_rules(), Broken{"object-name"});
}

TEST(VerifyNames, VarsOfTwoBlocksMayShareAName) {
  BuiltProgram p;
  p.scalar("x", ScalarType::F64, Intent::Var);
  p.scalar("x", ScalarType::F64, Intent::Var);

  EXPECT_EQ(p.broken_rules(), Broken{});
}

TEST(VerifyNames, ANameIsAnIdentifier) {
  BuiltProgram p;
  p.scalar("2 x", ScalarType::F64, Intent::In);

  EXPECT_EQ(p.broken_rules(), Broken{"object-name"});
}

TEST(VerifyNames, ASymbolIsDeclaredOnce) {
  BuiltProgram p;
  const auto x = p.scalar("x", ScalarType::F64);
  p.items.push_back(ir::make_region(ir::Declare{x}));

  EXPECT_EQ(p.broken_rules(), Broken{"declared-once"});
}

TEST(VerifyNames, ALetNamesALet) {
  BuiltProgram p;
  const auto x = p.add("x", SymbolKind::Scalar, ScalarType::F64, Intent::Var);
  p.items.push_back(ir::make_region(ir::Let{x, ir::make_literal(ir::Value(1.0))}));

  EXPECT_EQ(p.broken_rules(), Broken{"symbol-kind"});
}

TEST(VerifyNames, ALoopCountsAnIndex) {
  BuiltProgram p;
  const auto k = p.add("k", SymbolKind::Let, ScalarType::I32);
  p.items.push_back(ir::make_region(
      ir::For{{k, BuiltProgram::number(0), BuiltProgram::number(3), nullptr}, ir::make_seq({})}));

  EXPECT_EQ(p.broken_rules(), Broken{"symbol-kind"});
}

TEST(VerifyNames, AVarIsGoneAfterItsBlock) {
  BuiltProgram p;
  const auto result = p.scalar("result", ScalarType::F64);
  const auto x = p.add("x", SymbolKind::Scalar, ScalarType::F64, Intent::Var);
  const auto arm = ir::make_seq(
      {ir::make_region(ir::Declare{x}), p.assign(x, ir::make_literal(ir::Value(1.0)))});
  p.items.push_back(ir::make_region(ir::If{BuiltProgram::truth(), arm, nullptr}));
  p.items.push_back(p.assign(result, p.read(x)));

  EXPECT_EQ(p.broken_rules(), Broken{"scope"});
}

TEST(VerifyNames, ALetIsNotUsedInItsOwnValue) {
  BuiltProgram p;
  const auto x = p.add("x", SymbolKind::Let, ScalarType::F64);
  p.items.push_back(ir::make_region(ir::Let{x, p.read(x)}));

  EXPECT_EQ(p.broken_rules(), Broken{"scope"});
}

TEST(VerifyNames, AnObjectThatIsNeverDeclaredIsOutOfScope) {
  BuiltProgram p;
  const auto x = p.add("x", SymbolKind::Scalar, ScalarType::F64, Intent::Out);
  p.items.push_back(p.assign(x, ir::make_literal(ir::Value(1.0))));

  EXPECT_EQ(p.broken_rules(), Broken{"scope"});
}

TEST(VerifyNames, TheBoundsOfAFoldDoNotSeeItsIndex) {
  BuiltProgram p;
  const auto total = p.scalar("total", ScalarType::I32);
  const auto k = p.add("k", SymbolKind::Index, ScalarType::I32);
  const auto sum_up_to = [&](ir::Expr end) {
    return ir::make_fold(ir::FoldOp::Sum, {{k, BuiltProgram::number(0), std::move(end), nullptr}},
                         p.read(k));
  };
  BuiltProgram wrong = p;
  p.items.push_back(p.assign(total, sum_up_to(BuiltProgram::number(4))));
  wrong.items.push_back(wrong.assign(total, sum_up_to(wrong.read(k))));

  EXPECT_EQ(p.broken_rules(), Broken{});
  EXPECT_EQ(wrong.broken_rules(), Broken{"scope"});
}

TEST(VerifyNames, AReadHasTheTypeOfItsSymbol) {
  BuiltProgram p;
  const auto x = p.scalar("x", ScalarType::I64, Intent::Inout);
  p.items.push_back(p.assign(x, ir::make_read(x, ScalarType::I32)));

  EXPECT_EQ(p.broken_rules(), Broken{"read-type"});
}

}  // namespace
}  // namespace gyre::verifier
