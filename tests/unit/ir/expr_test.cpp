#include "gyre/ir/expr.hpp"

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

Expr read(ScalarType type) {
  return make_read(SymbolId{0}, type);
}

TEST(Expr, AFunctionOfFloatsKeepsTheTypeOfItsOperand) {
  const Expr single = make_apply(Op::Sqrt, {make_literal(Value(2.0f))});
  const Expr whole = make_apply(Op::Sqrt, {make_flexible(std::int64_t{2})});

  EXPECT_EQ(single->type, ScalarType::F32);
  EXPECT_EQ(whole->type, ScalarType::F64);
}

TEST(Expr, ALiteralTakesTheOtherOperandsType) {
  const auto sum = make_apply(Op::Add, {read(ScalarType::F32), make_flexible(std::int64_t{2})});

  EXPECT_EQ(sum->type, ScalarType::F32);
  EXPECT_EQ(std::get<Literal>(std::get<Apply>(sum->kind).operands[1]->kind).value.as<float>(), 2);
}

TEST(Expr, AloneALiteralIsI32OrF64) {
  EXPECT_EQ(make_flexible(std::int64_t{7})->type, ScalarType::I32);
  EXPECT_EQ(make_flexible(std::int64_t{1} << 40)->type, ScalarType::I64);
  EXPECT_EQ(make_flexible(0.5)->type, ScalarType::F64);
}

TEST(Expr, LiteralsAmongThemselvesTakeATypeTogether) {
  const auto product = make_apply(Op::Mul, {make_flexible(std::int64_t{2}), make_flexible(0.5)});

  const auto sum = make_apply(Op::Add, {product, read(ScalarType::F32)});

  EXPECT_EQ(product->type, ScalarType::F64);
  EXPECT_EQ(sum->type, ScalarType::F32);
}

TEST(Expr, AFractionDoesNotBecomeAnInteger) {
  const auto sum = make_apply(Op::Add, {read(ScalarType::I32), make_flexible(0.5)});

  EXPECT_EQ(sum->type, ScalarType::Invalid);
}

TEST(Expr, ANumberPastTheRangeOfF32DoesNotBecomeInfinite) {
  const auto sum = make_apply(Op::Add, {read(ScalarType::F32), make_flexible(1e300)});

  EXPECT_EQ(sum->type, ScalarType::Invalid);
}

TEST(Expr, IntegersAndFloatsWidenWithinTheirKindOnly) {
  const auto wide = make_apply(Op::Add, {read(ScalarType::I32), read(ScalarType::I64)});
  const auto mixed = make_apply(Op::Add, {read(ScalarType::I64), read(ScalarType::F64)});

  EXPECT_EQ(wide->type, ScalarType::I64);
  EXPECT_TRUE(std::get<Cast>(std::get<Apply>(wide->kind).operands[0]->kind).implicit);
  EXPECT_EQ(mixed->type, ScalarType::Invalid);
}

TEST(Expr, TheLeastIntegerIsALiteral) {
  const auto least = make_apply(Op::Neg, {make_flexible(std::int64_t{1} << 31)});

  EXPECT_EQ(coerce(least, ScalarType::I32)->type, ScalarType::I32);
}

TEST(Expr, SelectUnifiesItsArms) {
  const auto chosen =
      make_apply(Op::Select, {read(ScalarType::Bool), read(ScalarType::F32), make_flexible(0.0)});

  EXPECT_EQ(chosen->type, ScalarType::F32);
}

TEST(Expr, WrongOperandsPoison) {
  EXPECT_EQ(make_apply(Op::Not, {read(ScalarType::I32)})->type, ScalarType::Invalid);
  EXPECT_EQ(make_apply(Op::Rem, {read(ScalarType::F64), read(ScalarType::F64)})->type,
            ScalarType::Invalid);
  EXPECT_EQ(make_fold(FoldOp::Any, {}, read(ScalarType::F64))->type, ScalarType::Invalid);
}

TEST(Expr, ACastGivesALiteralItsType) {
  const auto wide = make_cast(ScalarType::I64, make_flexible(std::int64_t{5}));

  EXPECT_FALSE(std::get<Literal>(wide->kind).flexible);
  EXPECT_EQ(wide->type, ScalarType::I64);
}

TEST(Expr, SameExprLooksAtStructure) {
  const auto one = make_apply(Op::Add, {read(ScalarType::I32), make_flexible(std::int64_t{1})});
  const auto again = make_apply(Op::Add, {read(ScalarType::I32), make_flexible(std::int64_t{1})});
  const auto other = make_apply(Op::Add, {read(ScalarType::I32), make_flexible(std::int64_t{2})});

  EXPECT_TRUE(same_expr(one, again));
  EXPECT_FALSE(same_expr(one, other));
}

}  // namespace
}  // namespace gyre::ir
