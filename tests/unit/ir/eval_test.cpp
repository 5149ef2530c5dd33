#include "gyre/ir/eval.hpp"

#include "gyre/ir/strands.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int32_t least32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t most32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t least64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most64 = std::numeric_limits<std::int64_t>::max();

template <class... T>
Value apply(Op op, T... operands) {
  const Value values[] = {Value(operands)...};
  return eval(op, values);
}

template <class T>
testing::AssertionResult is(const Value& value, T expected) {
  if (same(value, Value(expected))) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << to_string(value) << " is not " << to_string(Value(expected));
}

TEST(Eval, IntegersWrap) {
  EXPECT_TRUE(is(apply(Op::Add, most32, 1), least32));
  EXPECT_TRUE(is(apply(Op::Sub, least64, std::int64_t{1}), most64));
  EXPECT_TRUE(is(apply(Op::Mul, most32, 2), -2));
  EXPECT_TRUE(is(apply(Op::Mul, std::int64_t{1} << 32, std::int64_t{1} << 32), std::int64_t{0}));
  EXPECT_TRUE(is(apply(Op::Neg, least32), least32));
  EXPECT_TRUE(is(apply(Op::Neg, least64), least64));
  EXPECT_TRUE(is(apply(Op::Abs, least32), least32));
  EXPECT_TRUE(is(apply(Op::Abs, least64), least64));
  EXPECT_TRUE(is(apply(Op::Abs, -7), 7));
}

TEST(Eval, IntegerDivisionByZeroIsZero) {
  EXPECT_TRUE(is(apply(Op::Div, 7, 0), 0));
  EXPECT_TRUE(is(apply(Op::Rem, 7, 0), 0));
  EXPECT_TRUE(is(apply(Op::Div, least64, std::int64_t{0}), std::int64_t{0}));
  EXPECT_TRUE(is(apply(Op::Rem, least64, std::int64_t{0}), std::int64_t{0}));
}

TEST(Eval, TheLeastIntegerByMinusOneIsItself) {
  EXPECT_TRUE(is(apply(Op::Div, least32, -1), least32));
  EXPECT_TRUE(is(apply(Op::Rem, least32, -1), 0));
  EXPECT_TRUE(is(apply(Op::Div, least64, std::int64_t{-1}), least64));
  EXPECT_TRUE(is(apply(Op::Rem, least64, std::int64_t{-1}), std::int64_t{0}));
}

TEST(Eval, IntegerDivisionGoesTowardsZero) {
  EXPECT_TRUE(is(apply(Op::Div, -7, 2), -3));
  EXPECT_TRUE(is(apply(Op::Rem, -7, 2), -1));
  EXPECT_TRUE(is(apply(Op::Rem, 7, -2), 1));
}

TEST(Eval, ShiftsUseTheLowBitsOfTheCount) {
  EXPECT_TRUE(is(apply(Op::Shl, 1, 32), 1));
  EXPECT_TRUE(is(apply(Op::Shl, 1, -1), least32));
  EXPECT_TRUE(is(apply(Op::Shl, std::int64_t{1}, std::int64_t{64}), std::int64_t{1}));
  EXPECT_TRUE(is(apply(Op::Shl, std::int64_t{1}, std::int64_t{63}), least64));
  EXPECT_TRUE(is(apply(Op::Shr, least32, 31), -1));
  EXPECT_TRUE(is(apply(Op::Shr, std::int64_t{-8}, std::int64_t{65}), std::int64_t{-4}));
}

TEST(Eval, BitOperatorsTakeIntegersAndBools) {
  EXPECT_TRUE(is(apply(Op::BitAnd, 12, 10), 8));
  EXPECT_TRUE(is(apply(Op::BitOr, 12, 10), 14));
  EXPECT_TRUE(is(apply(Op::BitXor, 12, 10), 6));
  EXPECT_TRUE(is(apply(Op::BitNot, std::int64_t{0}), std::int64_t{-1}));
  EXPECT_TRUE(is(apply(Op::BitXor, true, true), false));
  EXPECT_TRUE(is(apply(Op::BitAnd, true, false), false));
  EXPECT_TRUE(is(apply(Op::BitOr, true, false), true));
}

TEST(Eval, LogicIsThatOfItsTruthTable) {
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      EXPECT_TRUE(is(apply(Op::And, a, b), a && b));
      EXPECT_TRUE(is(apply(Op::Or, a, b), a || b));
    }
    EXPECT_TRUE(is(apply(Op::Not, a), !a));
  }
}

TEST(Eval, ComparisonsWithNanAreFalseButForNotEqual) {
  for (const Op op : {Op::Eq, Op::Lt, Op::Le, Op::Gt, Op::Ge}) {
    EXPECT_TRUE(is(apply(op, nan, 1.0), false));
    EXPECT_TRUE(is(apply(op, 1.0, nan), false));
    EXPECT_TRUE(is(apply(op, nan, nan), false));
  }
  EXPECT_TRUE(is(apply(Op::Ne, nan, nan), true));
}

TEST(Eval, ZerosOfBothSignsAreEqual) {
  EXPECT_TRUE(is(apply(Op::Eq, -0.0, 0.0), true));
  EXPECT_TRUE(is(apply(Op::Lt, -0.0, 0.0), false));
}

TEST(Eval, ComparisonsOrderIntegersAndBools) {
  EXPECT_TRUE(is(apply(Op::Lt, least64, most64), true));
  EXPECT_TRUE(is(apply(Op::Ge, most32, least32), true));
  EXPECT_TRUE(is(apply(Op::Le, 3, 3), true));
  EXPECT_TRUE(is(apply(Op::Gt, 3, 3), false));
  EXPECT_TRUE(is(apply(Op::Eq, true, true), true));
  EXPECT_TRUE(is(apply(Op::Ne, true, false), true));
}

TEST(Eval, BeforeOrdersAllFloatsWithNanLast) {
  const double rising[] = {-inf, -1.0, -0.0, 0.0, 5e-324, 1.0, inf, nan};
  for (const double& a : rising) {
    for (const double& b : rising) {
      EXPECT_TRUE(is(apply(Op::Before, a, b), &a < &b)) << a << " and " << b;
    }
  }
  EXPECT_TRUE(is(apply(Op::Before, -nan, nan), false));
  EXPECT_TRUE(is(apply(Op::Before, least64, most64), true));
  EXPECT_TRUE(is(apply(Op::Before, 3, 3), false));
}

TEST(Eval, MinAndMaxAreNanWhereEitherIs) {
  for (const Op op : {Op::Min, Op::Max}) {
    EXPECT_TRUE(is(apply(op, nan, 1.0), nan));
    EXPECT_TRUE(is(apply(op, 1.0, nan), nan));
    EXPECT_TRUE(is(apply(op, nan, nan), nan));
    EXPECT_TRUE(is(apply(op, -inf, nan), nan));
  }
}

TEST(Eval, MinAndMaxPutMinusZeroBeforeZero) {
  EXPECT_TRUE(is(apply(Op::Min, 0.0, -0.0), -0.0));
  EXPECT_TRUE(is(apply(Op::Min, -0.0, 0.0), -0.0));
  EXPECT_TRUE(is(apply(Op::Max, 0.0, -0.0), 0.0));
  EXPECT_TRUE(is(apply(Op::Max, -0.0f, 0.0f), 0.0f));
  EXPECT_TRUE(is(apply(Op::Min, -1.0f, 1.0f), -1.0f));
  EXPECT_TRUE(is(apply(Op::Max, least32, most32), most32));
}

TEST(Eval, FloatsFollowIeee) {
  EXPECT_TRUE(is(apply(Op::Div, 1.0, 0.0), inf));
  EXPECT_TRUE(is(apply(Op::Div, 1.0, -0.0), -inf));
  EXPECT_TRUE(is(apply(Op::Div, 0.0, 0.0), nan));
  EXPECT_TRUE(is(apply(Op::Sub, inf, inf), nan));
  EXPECT_TRUE(is(apply(Op::Neg, 0.0), -0.0));
  EXPECT_TRUE(is(apply(Op::Abs, -0.0), 0.0));
  EXPECT_TRUE(is(apply(Op::Abs, -inf), inf));
  EXPECT_TRUE(is(apply(Op::Div, 0x1p-149f, 2.0f), 0.0f));
  EXPECT_TRUE(is(apply(Op::Mul, 0x1p-126f, 0.5f), 0x1p-127f));
}

TEST(Eval, AProductAndASumRoundTwice) {
  const double a = 1.0 + 0x1p-30;

  const Value product = apply(Op::Mul, a, a);
  const Value rest = apply(Op::Sub, product.as<double>(), 1.0 + 0x1p-29);

  EXPECT_TRUE(is(rest, 0.0));
}

TEST(Eval, RootsAreCorrectlyRounded) {
  EXPECT_TRUE(is(apply(Op::Sqrt, 2.0), std::sqrt(2.0)));
  EXPECT_TRUE(is(apply(Op::Sqrt, -1.0), nan));
  EXPECT_TRUE(is(apply(Op::Sqrt, -0.0), -0.0));
  EXPECT_TRUE(is(apply(Op::Rsqrt, 0.0), inf));
  EXPECT_TRUE(is(apply(Op::Rsqrt, -0.0), -inf));
  EXPECT_TRUE(is(apply(Op::Rsqrt, inf), 0.0));
  const float root = std::sqrt(3.0f);
  EXPECT_TRUE(is(apply(Op::Rsqrt, 3.0f), 1.0f / root));
}

TEST(Eval, RoundingKeepsTheSignOfZero) {
  EXPECT_TRUE(is(apply(Op::Floor, -0.5), -1.0));
  EXPECT_TRUE(is(apply(Op::Ceil, -0.5), -0.0));
  EXPECT_TRUE(is(apply(Op::Trunc, -0.9), -0.0));
  EXPECT_TRUE(is(apply(Op::Trunc, 1e300), 1e300));
  EXPECT_TRUE(is(apply(Op::Round, 2.5), 2.0));
  EXPECT_TRUE(is(apply(Op::Round, 3.5f), 4.0f));
  EXPECT_TRUE(is(apply(Op::Round, -0.5), -0.0));
  EXPECT_TRUE(is(apply(Op::Floor, nan), nan));
}

TEST(Eval, ClassifiesFloats) {
  EXPECT_TRUE(is(apply(Op::IsNan, nan), true));
  EXPECT_TRUE(is(apply(Op::IsNan, inf), false));
  EXPECT_TRUE(is(apply(Op::IsFinite, inf), false));
  EXPECT_TRUE(is(apply(Op::IsFinite, nan), false));
  EXPECT_TRUE(is(apply(Op::IsFinite, std::numeric_limits<float>::max()), true));
}

TEST(Eval, ExtentCountsTheIndicesOfARange) {
  EXPECT_TRUE(is(apply(Op::Extent, 0, 10, 3), 4));
  EXPECT_TRUE(is(apply(Op::Extent, 10, 0, -3), 4));
  EXPECT_TRUE(is(apply(Op::Extent, 5, 3, 1), 0));
  EXPECT_TRUE(is(apply(Op::Extent, 0, 5, 0), 0));
}

TEST(Eval, SelectTakesTheSecondWhereTheFirstHolds) {
  EXPECT_TRUE(is(apply(Op::Select, true, 1, 2), 1));
  EXPECT_TRUE(is(apply(Op::Select, false, 1.0, nan), nan));
  EXPECT_TRUE(is(apply(Op::Select, false, true, false), false));
}

TEST(Eval, MathematicalFunctionsAreTheLibrarys) {
  EXPECT_TRUE(is(apply(Op::Exp, 0.0), 1.0));
  EXPECT_TRUE(is(apply(Op::Log2, 8.0f), 3.0f));
  EXPECT_TRUE(is(apply(Op::Pow, 2.0, 10.0), 1024.0));
  EXPECT_TRUE(is(apply(Op::Atan2, 0.0, -1.0), std::atan2(0.0, -1.0)));
  EXPECT_TRUE(is(apply(Op::Erf, inf), 1.0));
}

TEST(Eval, EveryOperatorTakesEveryTypeThatItAdmits) {
  for (const OpInfo& row : all_ops()) {
    for (const auto type :
         {ScalarType::Bool, ScalarType::I32, ScalarType::I64, ScalarType::F32, ScalarType::F64}) {
      std::vector<Value> operands(row.arity, Value::zero(type));
      if (row.operands == OperandClass::Chosen) operands[0] = Value(true);

      if (admits(row.operands, type)) {
        EXPECT_EQ(eval(row.op, operands).type(), type_of_result(row.result, type))
            << row.spelling << name_of(type);
      } else {
        EXPECT_THROW(eval(row.op, operands), InternalError) << row.spelling << name_of(type);
      }
    }
  }
}

TEST(Convert, FloatToIntegerSaturatesAndNanIsZero) {
  EXPECT_TRUE(is(convert(Value(1e300), ScalarType::I32), most32));
  EXPECT_TRUE(is(convert(Value(-1e300), ScalarType::I32), least32));
  EXPECT_TRUE(is(convert(Value(nan), ScalarType::I32), 0));
  EXPECT_TRUE(is(convert(Value(inf), ScalarType::I64), most64));
  EXPECT_TRUE(is(convert(Value(-inf), ScalarType::I64), least64));
  EXPECT_TRUE(is(convert(Value(2147483647.5), ScalarType::I32), most32));
  EXPECT_TRUE(is(convert(Value(-2147483648.5), ScalarType::I32), least32));
  EXPECT_TRUE(is(convert(Value(2147483648.0f), ScalarType::I32), most32));
  EXPECT_TRUE(is(convert(Value(0x1p63), ScalarType::I64), most64));
  EXPECT_TRUE(is(convert(Value(-0x1p63), ScalarType::I64), least64));
  EXPECT_TRUE(is(convert(Value(-1.9f), ScalarType::I64), std::int64_t{-1}));
}

TEST(Convert, IntegersWrapAndFloatsRoundToNearest) {
  EXPECT_TRUE(is(convert(Value((std::int64_t{1} << 32) + 5), ScalarType::I32), 5));
  EXPECT_TRUE(is(convert(Value(-1), ScalarType::I64), std::int64_t{-1}));
  EXPECT_TRUE(is(convert(Value(16777217), ScalarType::F32), 16777216.0f));
  EXPECT_TRUE(is(convert(Value(most64), ScalarType::F64), 0x1p63));
  EXPECT_TRUE(is(convert(Value(1e300), ScalarType::F32), std::numeric_limits<float>::infinity()));
  EXPECT_TRUE(is(convert(Value(-1e-300), ScalarType::F32), -0.0f));
}

TEST(Convert, ToBoolAsksWhetherItIsNotZero) {
  EXPECT_TRUE(is(convert(Value(std::int64_t{1} << 32), ScalarType::Bool), true));
  EXPECT_TRUE(is(convert(Value(nan), ScalarType::Bool), true));
  EXPECT_TRUE(is(convert(Value(-0.0), ScalarType::Bool), false));
  EXPECT_TRUE(is(convert(Value(0x1p-149f), ScalarType::Bool), true));
  EXPECT_TRUE(is(convert(Value(true), ScalarType::F64), 1.0));
  EXPECT_TRUE(is(convert(Value(true), ScalarType::I32), 1));
}

Value fold_of(FoldOp op, const std::vector<Value>& terms, ScalarType type,
              std::int64_t strand_count) {
  StrandFold fold(op, type, strand_count);
  std::int64_t index = 0;
  for (const Value& term : terms) fold.add(term, index++);
  return fold.finish();
}

Value fold_of(FoldOp op, const std::vector<double>& numbers) {
  std::vector<Value> terms(numbers.begin(), numbers.end());
  return fold_of(op, terms, ScalarType::F64, strands::outer(std::ssize(terms)));
}

TEST(StrandFold, EmptyFoldsHaveTheirNeutralValue) {
  EXPECT_TRUE(is(fold_empty(FoldOp::Sum, ScalarType::F64), 0.0));
  EXPECT_TRUE(is(fold_empty(FoldOp::Prod, ScalarType::I32), 1));
  EXPECT_TRUE(is(fold_empty(FoldOp::Min, ScalarType::F64), inf));
  EXPECT_TRUE(is(fold_empty(FoldOp::Max, ScalarType::F64), -inf));
  EXPECT_TRUE(is(fold_empty(FoldOp::Min, ScalarType::I32), most32));
  EXPECT_TRUE(is(fold_empty(FoldOp::Max, ScalarType::I64), least64));
  EXPECT_TRUE(is(fold_empty(FoldOp::Any, ScalarType::Bool), false));
  EXPECT_TRUE(is(fold_empty(FoldOp::All, ScalarType::Bool), true));
  EXPECT_TRUE(is(fold_empty(FoldOp::Count, ScalarType::Bool), std::int64_t{0}));
  EXPECT_TRUE(is(fold_empty(FoldOp::Argmin, ScalarType::F64), std::int64_t{-1}));
  EXPECT_TRUE(is(fold_empty(FoldOp::Argmax, ScalarType::I32), std::int64_t{-1}));
}

TEST(StrandFold, ASingleTermIsNotAddedToAnything) {
  EXPECT_TRUE(is(fold_of(FoldOp::Sum, {-0.0}), -0.0));
  EXPECT_TRUE(is(fold_of(FoldOp::Max, {-inf}), -inf));
}

TEST(StrandFold, ArgminTakesTheFirstOfEqualsAndTheFirstNan) {
  EXPECT_TRUE(is(fold_of(FoldOp::Argmin, {3, 1, 2, 1}), std::int64_t{1}));
  EXPECT_TRUE(is(fold_of(FoldOp::Argmax, {3, 1, 3}), std::int64_t{0}));
  EXPECT_TRUE(is(fold_of(FoldOp::Argmin, {1, nan, -inf, nan}), std::int64_t{1}));
  EXPECT_TRUE(is(fold_of(FoldOp::Argmax, {1, nan, inf, nan, 5}), std::int64_t{1}));
  EXPECT_TRUE(is(fold_of(FoldOp::Argmin, {0.0, -0.0}), std::int64_t{1}));
}

TEST(StrandFold, CountCountsAndConditionsFold) {
  const std::vector<Value> terms = {Value(true), Value(false), Value(true)};

  EXPECT_TRUE(is(fold_of(FoldOp::Count, terms, ScalarType::Bool, 4), std::int64_t{2}));
  EXPECT_TRUE(is(fold_of(FoldOp::Any, terms, ScalarType::Bool, 4), true));
  EXPECT_TRUE(is(fold_of(FoldOp::All, terms, ScalarType::Bool, 4), false));
}

TEST(StrandFold, TwoStrandsAddEveryOtherTerm) {
  const double a = 1.0, b = 0x1p-53, c = 0x1p-53, d = 0x1p-53, e = 0x1p-53;
  std::vector<Value> terms = {Value(a), Value(b), Value(c), Value(d), Value(e)};

  const Value sum = fold_of(FoldOp::Sum, terms, ScalarType::F64, 2);

  EXPECT_TRUE(is(sum, ((a + c) + e) + (b + d)));
}

}  // namespace
}  // namespace gyre::ir
