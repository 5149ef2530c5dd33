#include "gyre/builder/program.hpp"

#include <gtest/gtest.h>

namespace gyre::builder {
namespace {

using I32 = Value<std::int32_t>;
using I64 = Value<std::int64_t>;
using F32 = Value<float>;
using F64 = Value<double>;
using Bool = Value<bool>;

template <class A, class B>
concept CanAdd = requires(const A& a, const B& b) {
  a + b;
};
template <class A, class B>
concept CanShift = requires(const A& a, const B& b) {
  a << b;
};
template <class A, class B>
concept CanAnd = requires(const A& a, const B& b) {
  a&& b;
};
template <class A>
concept HasRoot = requires(const A& a) {
  sqrt(a);
};
template <class A, class B, class C>
concept CanDraw = requires(const A& a, const B& b, const C& c) {
  uniform(a, b, c);
};
template <class A>
concept CanNot = requires(const A& a) {
  !a;
};
template <class To, class From>
concept CanStore = requires(const To& to, const From& from) {
  to = from;
};
template <class To, class From>
concept CanAddTo = requires(const To& to, const From& from) {
  to += from;
};
template <class T>
concept CanBeTested = requires(Program& p, const T& condition) {
  p.while_(condition, [] {});
};
template <class A, class B>
concept CanRange = requires(const A& a, const B& b) {
  range(a, b);
};
template <class Body>
concept CanAny = requires(const Size& n, Body body) {
  any(0, n, body);
};
template <class Body>
concept CanSum = requires(const Size& n, Body body) {
  sum(0, n, body);
};

template <class A, class B>
using Sum = decltype(std::declval<A>() + std::declval<B>());

TEST(BuilderTyping, IntegersAndFloatsWidenWithinTheirKind) {
  EXPECT_TRUE((std::same_as<Sum<I32, I64>, I64>));
  EXPECT_TRUE((std::same_as<Sum<F64, F32>, F64>));
  EXPECT_TRUE((std::same_as<Sum<F32, F32>, F32>));
}

TEST(BuilderTyping, IntegersAndFloatsDoNotMix) {
  EXPECT_FALSE((CanAdd<F64, I32>));
  EXPECT_FALSE((CanAdd<I64, F32>));
  EXPECT_FALSE((CanAdd<Bool, I32>));
  EXPECT_FALSE((CanAdd<Bool, Bool>));
}

TEST(BuilderTyping, ALiteralTakesTheOtherOperandsType) {
  EXPECT_TRUE((std::same_as<Sum<F32, double>, F32>));
  EXPECT_TRUE((std::same_as<Sum<int, F32>, F32>));
  EXPECT_TRUE((std::same_as<Sum<I64, std::size_t>, I64>));
  EXPECT_FALSE((CanAdd<I32, double>));
  EXPECT_FALSE((CanAdd<F64, bool>));
  EXPECT_FALSE((CanAdd<I32, char>));
}

TEST(BuilderTyping, OperatorsTakeTheirClassOnly) {
  EXPECT_TRUE((CanShift<I64, int>));
  EXPECT_FALSE((CanShift<F64, int>));
  EXPECT_TRUE((CanAnd<Bool, bool>));
  EXPECT_FALSE((CanAnd<I32, Bool>));
  EXPECT_TRUE((HasRoot<F32>));
  EXPECT_FALSE((HasRoot<I32>));
  EXPECT_FALSE((CanNot<F64>));
}

TEST(BuilderTyping, DrawsTakeIntegersOfAnyWidthAndNameTheirResult) {
  EXPECT_TRUE((CanDraw<I64, I32, int>));
  EXPECT_TRUE((CanDraw<int, int, I32>));
  EXPECT_FALSE((CanDraw<I64, F64, int>));
  EXPECT_FALSE((CanDraw<I64, double, int>));
  EXPECT_FALSE((CanDraw<int, Bool, I64>));
  EXPECT_TRUE((std::same_as<decltype(random(std::declval<I32>(), 0, 0)), I64>));
  EXPECT_TRUE((std::same_as<decltype(uniform(0, std::declval<I32>(), 0)), F64>));
  EXPECT_TRUE((std::same_as<decltype(uniform_f32(0, 0, std::declval<I64>())), F32>));
}

TEST(BuilderTyping, ComparisonsAreBools) {
  EXPECT_TRUE((std::same_as<decltype(std::declval<I32>() < std::declval<I64>()), Bool>));
  EXPECT_TRUE((std::same_as<decltype(std::declval<Bool>() == true), Bool>));
}

TEST(BuilderTyping, AStoreWidensAndNeverNarrows) {
  EXPECT_TRUE((CanStore<Scalar<double>, F32>));
  EXPECT_TRUE((CanStore<Scalar<double>, Scalar<double>>));
  EXPECT_TRUE((CanStore<Scalar<float>, double>));
  EXPECT_FALSE((CanStore<Scalar<float>, F64>));
  EXPECT_FALSE((CanStore<Scalar<std::int32_t>, I64>));
  EXPECT_FALSE((CanStore<Scalar<std::int32_t>, double>));
  EXPECT_TRUE((CanAddTo<Scalar<std::int64_t>, I32>));
  EXPECT_FALSE((CanAddTo<Scalar<bool>, Bool>));
}

TEST(BuilderTyping, AValueIsNotAssignedTo) {
  EXPECT_FALSE((CanStore<F64, F64>));
  EXPECT_FALSE((CanStore<F64, double>));
}

TEST(BuilderTyping, HalvesAreStorageAndLoadAsFloat) {
  using Element = decltype(std::declval<Buffer<f16>>()[0]);

  EXPECT_TRUE((std::same_as<TypeOf<Element>, float>));
  EXPECT_FALSE(ValueType<bf16>);
  EXPECT_TRUE(ElementType<bf16>);
}

TEST(BuilderTyping, ConditionsAreBools) {
  EXPECT_TRUE(CanBeTested<Bool>);
  EXPECT_TRUE(CanBeTested<bool>);
  EXPECT_FALSE(CanBeTested<I32>);
  EXPECT_FALSE(CanBeTested<int>);
}

TEST(BuilderTyping, RangesAreOfIntegers) {
  EXPECT_TRUE((CanRange<int, I64>));
  EXPECT_FALSE((CanRange<int, F64>));
  EXPECT_FALSE((CanRange<double, I64>));
}

TEST(BuilderTyping, FoldsTakeWhatTheyFold) {
  const auto number = [](const I64& i) { return i * 2; };
  const auto condition = [](const I64& i) { return i > 2; };

  EXPECT_TRUE(CanSum<decltype(number)>);
  EXPECT_FALSE(CanSum<decltype(condition)>);
  EXPECT_TRUE(CanAny<decltype(condition)>);
  EXPECT_FALSE(CanAny<decltype(number)>);
}

}  // namespace
}  // namespace gyre::builder
