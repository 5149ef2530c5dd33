#include "gyre/ir/constant_value.hpp"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

Expr number(std::int64_t value) {
  return make_literal(Value(value));
}

TEST(ConstantValue, IsThatOfLiteralsCastsAndOperators) {
  const Expr product = make_apply(Op::Mul, {number(4), number(8)});

  EXPECT_EQ(constant_value(number(7))->as_integer(), 7);
  EXPECT_EQ(constant_value(product)->as_integer(), 32);
  EXPECT_EQ(constant_value(make_cast(ScalarType::I32, product))->type(), ScalarType::I32);
}

TEST(ConstantValue, WrapsAsTheProgramsArithmeticDoes) {
  const Expr most = number(std::numeric_limits<std::int64_t>::max());

  EXPECT_EQ(constant_value(make_apply(Op::Add, {most, number(1)}))->as_integer(),
            std::numeric_limits<std::int64_t>::min());
}

TEST(ConstantValue, IsNoneOfWhatIsRead) {
  const Expr read = make_read(SymbolId{0}, ScalarType::I64);

  EXPECT_FALSE(constant_value(read));
  EXPECT_FALSE(constant_value(make_apply(Op::Add, {number(1), read})));
  EXPECT_FALSE(constant_value(make_cast(ScalarType::F64, read)));
}

}  // namespace
}  // namespace gyre::ir
