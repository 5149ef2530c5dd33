#include "built.hpp"
#include "gyre/ir/random_ops.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace gyre::builder {
namespace {

std::vector<std::int32_t> numbers() {
  return {3, -1, 4, -1, 5};
}

template <class Build>
ir::Value folded(Build build) {
  Program p("fold");
  auto n = p.size("n");
  auto x = p.in<std::int32_t>("x", {n});
  auto result = p.let("result", build(n, x));
  auto out = p.out<typename decltype(result)::Type>("out");
  out = result;
  auto memory = numbers();
  return run(p, {.sizes = {}, .scalars = {}, .buffers = {{"x", view(memory)}}}).scalars.at("out");
}

TEST(BuilderExpressions, EveryFoldFolds) {
  const auto over = [](auto fold) {
    return folded([fold](auto& n, auto& x) { return fold(n, x); });
  };

  EXPECT_EQ(over([](auto& n, auto& x) {
              return sum(0, n, [&](auto i) { return x[i]; });
            }).template as<std::int32_t>(),
            10);
  EXPECT_EQ(over([](auto& n, auto& x) {
              return prod(0, n, [&](auto i) { return x[i]; });
            }).template as<std::int32_t>(),
            60);
  EXPECT_EQ(over([](auto& n, auto& x) {
              return min(0, n, [&](auto i) { return x[i]; });
            }).template as<std::int32_t>(),
            -1);
  EXPECT_EQ(over([](auto& n, auto& x) {
              return max(0, n, [&](auto i) { return x[i]; });
            }).template as<std::int32_t>(),
            5);
  EXPECT_TRUE(over([](auto& n, auto& x) {
                return any(0, n, [&](auto i) { return x[i] > 4; });
              }).template as<bool>());
  EXPECT_FALSE(over([](auto& n, auto& x) {
                 return all(0, n, [&](auto i) { return x[i] > 4; });
               }).template as<bool>());
  EXPECT_EQ(over([](auto& n, auto& x) {
              return count(0, n, [&](auto i) { return x[i] < 0; });
            }).template as<std::int64_t>(),
            2);
  EXPECT_EQ(over([](auto& n, auto& x) {
              return argmin(0, n, [&](auto i) { return x[i]; });
            }).template as<std::int64_t>(),
            1);
  EXPECT_EQ(over([](auto& n, auto& x) {
              return argmax(0, n, [&](auto i) { return x[i]; });
            }).template as<std::int64_t>(),
            4);
}

TEST(BuilderExpressions, AFoldRunsOverAProductOfRanges) {
  const auto value = folded([](auto& n, auto& x) {
    return sum(range(0, n) * range(0, 2),
               [&](auto i, auto j) { return x[i] * cast<std::int32_t>(j); });
  });

  EXPECT_EQ(value.as<std::int32_t>(), 10);
}

TEST(BuilderExpressions, AFoldOfAConstantCounts) {
  const auto value = folded([](auto& n, auto&) { return sum(0, n, [](auto) { return 1; }); });

  EXPECT_EQ(value.as<std::int32_t>(), 5);
}

TEST(BuilderExpressions, AFoldMayBeUsedTwice) {
  const auto value = folded([](auto& n, auto& x) {
    const auto total =
        sum(0, n, [&](auto i) { return x[i] * sum(0, i, [&](auto j) { return x[j]; }); });
    return total - 2 * total;
  });

  EXPECT_EQ(value.as<std::int32_t>(), 3 * 1 - 4 * 2 + 6 - 5 * 5);
}

TEST(BuilderExpressions, OperatorsMeanWhatTheLanguageMeans) {
  Program p("ops");
  auto a = p.in<std::int32_t>("a", 7);
  auto b = p.in<std::int64_t>("b", 3);
  auto out = p.out<std::int64_t>("out", {8});
  out[0] = a / b;
  out[1] = a % b;
  out[2] = (a << 2) >> 1;
  out[3] = (a & 6) | (~b ^ -1);
  out[4] = -a + 10;
  out[5] = select(!(a < b) && (a >= 7 || a == 0), b, 0);
  out[6] = max(a, b) - min(a, 5);
  out[7] = a / 0;
  std::vector<std::int64_t> memory(8);

  run(p, {.sizes = {}, .scalars = {}, .buffers = {{"out", view(memory)}}});

  EXPECT_EQ(memory, (std::vector<std::int64_t>{2, 1, 14, 7, 3, 3, 2, 0}));
}

TEST(BuilderExpressions, AChoiceOfTwoConstantsHasTheirType) {
  Program p("choice");
  auto yes = p.in("yes", true);
  auto small = p.out("small", select(yes, 1, 0));
  auto large = p.out("large", select(!yes, 1.5, 2.5));
  auto said = p.out("said", select(yes, false, true));

  const auto outcome = run(p, {});

  EXPECT_EQ(outcome.scalars.at("small").as<std::int32_t>(), 1);
  EXPECT_EQ(outcome.scalars.at("large").as<double>(), 2.5);
  EXPECT_FALSE(outcome.scalars.at("said").as<bool>());
}

TEST(BuilderExpressions, FunctionsOfTheTableAreFoundByTheirArguments) {
  Program p("functions");
  auto x = p.in("x", 2.25);
  auto out = p.out<double>("out", {5});
  auto odd = p.out<bool>("odd");
  out[0] = sqrt(x);
  out[1] = floor(-x);
  out[2] = rsqrt(x);
  out[3] = abs(-x);
  out[4] = pow(x, 2);
  odd = is_nan(x) || !is_finite(x);
  std::vector<double> memory(5);

  const auto outcome = run(p, {.sizes = {}, .scalars = {}, .buffers = {{"out", view(memory)}}});

  EXPECT_EQ(memory, (std::vector<double>{1.5, -3.0, 1 / 1.5, 2.25, 5.0625}));
  EXPECT_FALSE(outcome.scalars.at("odd").as<bool>());
}

TEST(BuilderExpressions, DrawsAreFunctionsOfThreeIntegers) {
  Program p("draws");
  auto n = p.size("n");
  auto seed = p.in<std::int32_t>("seed", 3);
  auto bits = p.out<std::int64_t>("bits", {n});
  auto unit = p.out<double>("unit", {n});
  auto narrow = p.out<float>("narrow", {n});
  auto deviation = p.out<double>("deviation", {n});
  auto first = p.out<std::int64_t>("first");
  first = random(1, 2, seed);
  p.foreach(0, n, [&](auto i) {
    bits[i] = random(seed, 5, i);
    unit[i] = uniform(seed, 5, i);
    narrow[i] = uniform_f32(seed, 5, i);
    deviation[i] = normal(seed, 5, i);
  });
  std::vector<std::int64_t> bits_memory(4);
  std::vector<double> unit_memory(4);
  std::vector<float> narrow_memory(4);
  std::vector<double> deviation_memory(4);

  const auto outcome = run(p, {.sizes = {{"n", 4}},
                               .scalars = {},
                               .buffers = {{"bits", view(bits_memory)},
                                           {"unit", view(unit_memory)},
                                           {"narrow", view(narrow_memory)},
                                           {"deviation", view(deviation_memory)}}});

  EXPECT_EQ(outcome.scalars.at("first").as<std::int64_t>(), ops::random(1L, 2L, 3L));
  for (std::size_t i = 0; i < 4; ++i) {
    const auto element = static_cast<long>(i);
    EXPECT_EQ(bits_memory[i], ops::random(3L, 5L, element));
    EXPECT_EQ(unit_memory[i], ops::uniform(3L, 5L, element));
    EXPECT_EQ(narrow_memory[i], ops::uniform_f32(3L, 5L, element));
    EXPECT_DOUBLE_EQ(deviation_memory[i], ops::normal(3L, 5L, element));
  }
}

TEST(BuilderExpressions, CastsSaturateAndConstantsHaveTheirType) {
  Program p("casts");
  auto x = p.in("x", 1e300);
  auto i = p.out<std::int32_t>("i");
  auto f = p.out<double>("f");
  i = cast<std::int32_t>(x);
  f = constant<float>(1) / 3;

  const auto outcome = run(p);

  EXPECT_EQ(outcome.scalars.at("i").as<std::int32_t>(), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(outcome.scalars.at("f").as<double>(), static_cast<double>(1.0f / 3));
}

TEST(BuilderExpressions, AnIndexIsOfItsBoundsType) {
  Program p("index");
  auto n = p.size("n");
  auto small = p.in<std::int32_t>("small");

  p.foreach(0, n, [](auto i) { EXPECT_TRUE((std::same_as<TypeOf<decltype(i)>, std::int64_t>)); });
  p.for_(0, small, [](auto i) { EXPECT_TRUE((std::same_as<TypeOf<decltype(i)>, std::int32_t>)); });
  p.for_(0, 10L, [](auto i) { EXPECT_TRUE((std::same_as<TypeOf<decltype(i)>, std::int64_t>)); });

  EXPECT_EQ(broken_rules(p), std::vector<std::string>{});
}

TEST(BuilderExpressions, AConstantOfTheProgramBeginsAFoldOverConstants) {
  Program p("constants");
  auto out = p.out<std::int32_t>("out");
  out = sum(p.constant(0), 5, [](auto i) { return i; });

  EXPECT_EQ(run(p).scalars.at("out").as<std::int32_t>(), 10);
}

}  // namespace
}  // namespace gyre::builder
