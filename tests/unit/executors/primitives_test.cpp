// The primitives as the cpu executor runs them, beside the standard library.
#include "gyre/gyre.hpp"
#include "support/programs.hpp"
#include "support/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using support::Random;

// Lengths around tiles of 256 and groups of 1,024 now and then, mostly short ones.
std::int64_t random_length(Random& random) {
  if (random.chance(3)) return random.between(1000, 9000);
  if (random.chance(10)) return random.between(250, 260);
  return random.between(0, 40);
}

template <class T>
std::vector<T> random_list(Random& random, std::int64_t length) {
  std::vector<T> list(static_cast<std::size_t>(length));
  const bool few = random.chance(50);
  for (T& one : list) {
    one =
        few ? static_cast<T>(random.between(-3, 3)) : random.value(ir::type_of<T>).template as<T>();
  }
  return list;
}

// The order of a sort, as a comparison.
template <class T>
bool stands_before(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
    if (a == b) return std::signbit(a) && !std::signbit(b);
  }
  return a < b;
}

template <class T>
bool same_bits(T a, T b) {
  if (a != a || b != b) return a != a && b != b;
  if constexpr (std::is_floating_point_v<T>) {
    return a == b && std::signbit(a) == std::signbit(b);
  } else {
    return a == b;
  }
}

template <class T>
::testing::AssertionResult same_list(const std::vector<T>& a, const std::vector<T>& b,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!same_bits(a[i], b[i])) {
      return ::testing::AssertionFailure() << a[i] << " and " << b[i] << " at " << i;
    }
  }
  return ::testing::AssertionSuccess();
}

Executable compiled(const std::string& type, const std::string& statements) {
  return compile(
      support::parse_ok("program p(n: size) {\n in x: " + type + "[n]\n" + statements + "\n}"));
}

template <class T>
class Primitives : public ::testing::Test {
 protected:
  static std::string type() { return std::string(ir::name_of(ir::type_of<T>)); }
};
using Types = ::testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(Primitives, Types);

constexpr int rounds = 600;

TYPED_TEST(Primitives, SortsAsAStableSortDoes) {
  using T = TypeParam;
  Random random(1);
  auto executable = compiled(this->type(), "out y: " + this->type() +
                                               "[n], at: i64[n]\n"
                                               "sort(i in 0..n) y, at = x[i], i");
  for (int round = 0; round < rounds; ++round) {
    auto x = random_list<T>(random, random_length(random));
    std::vector<std::int64_t> expected(x.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
      return stands_before(x[static_cast<std::size_t>(a)], x[static_cast<std::size_t>(b)]);
    });
    std::vector<T> y(x.size());
    std::vector<std::int64_t> at(x.size());
    executable.bind("x", x);
    executable.bind("y", y);
    executable.bind("at", at);

    executable.run();

    ASSERT_EQ(at, expected) << "round " << round << ", " << x.size() << " values";
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(same_bits(y[i], x[static_cast<std::size_t>(at[i])]));
    }
  }
}

TYPED_TEST(Primitives, SortsDownwardsWithNanLast) {
  using T = TypeParam;
  Random random(2);
  auto executable = compiled(this->type(), "out y: " + this->type() +
                                               "[n]\n"
                                               "sort(i in 0..n) y = x[i] descending");
  for (int round = 0; round < rounds; ++round) {
    auto x = random_list<T>(random, random_length(random));
    auto expected = x;
    std::stable_sort(expected.begin(), expected.end(), [](T a, T b) {
      if (a != a || b != b) return a == a && b != b;
      return stands_before(b, a);
    });
    std::vector<T> y(x.size());
    executable.bind("x", x);
    executable.bind("y", y);

    executable.run();

    ASSERT_TRUE(same_list(y, expected, y.size())) << "round " << round;
  }
}

TYPED_TEST(Primitives, CompactsAsCopyIfDoes) {
  using T = TypeParam;
  Random random(3);
  auto executable = compiled(this->type(), "out y: " + this->type() +
                                               "[n], m: i64\n"
                                               "compact(i in 0..n) y, m = x[i] where x[i] > 0");
  for (int round = 0; round < rounds; ++round) {
    auto x = random_list<T>(random, random_length(random));
    std::vector<T> expected;
    std::copy_if(x.begin(), x.end(), std::back_inserter(expected), [](T a) { return a > T{0}; });
    std::vector<T> y(x.size());
    executable.bind("x", x);
    executable.bind("y", y);

    const auto result = executable.run();

    ASSERT_EQ(result.template get<std::int64_t>("m"), std::ssize(expected)) << "round " << round;
    ASSERT_TRUE(same_list(y, expected, expected.size())) << "round " << round;
  }
}

TYPED_TEST(Primitives, FindTheGreatestAsASortDoes) {
  using T = TypeParam;
  Random random(4);
  auto executable = compile(support::parse_ok(
      "program p(n: size, k: size) {\n in x: " + this->type() + "[n]\n out y: " + this->type() +
      "[k], at: i64[k]\n topk(i in 0..n) y, at = x[i]\n}"));
  for (int round = 0; round < rounds; ++round) {
    auto x = random_list<T>(random, random_length(random));
    std::vector<std::int64_t> order(x.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      const T one = x[static_cast<std::size_t>(a)];
      const T other = x[static_cast<std::size_t>(b)];
      if (one != one || other != other) return one != one && other == other;
      return stands_before(other, one);
    });
    const auto places = static_cast<std::size_t>(random.chance(20) ? random.between(0, 600)
                                                                   : random.between(1, 20));
    std::vector<T> y(places);
    std::vector<std::int64_t> at(places);
    executable.bind("x", x);
    executable.bind("y", y);
    executable.bind("at", at);

    executable.run();

    order.resize(places, -1);
    ASSERT_EQ(at, order) << "round " << round << ", " << places << " of " << x.size();
    const T none = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                        : std::numeric_limits<T>::lowest();
    for (std::size_t i = 0; i < places; ++i) {
      ASSERT_TRUE(same_bits(y[i], at[i] < 0 ? none : x[static_cast<std::size_t>(at[i])]));
    }
  }
}

TEST(IntegerPrimitives, ScanAsPartialSumsDo) {
  Random random(5);
  auto executable = compiled("i64",
                             "out y: i64[n], z: i64[n], g: i64[n]\n"
                             "scan(i in 0..n) y = sum x[i]\n"
                             "scan(i in 0..n) z = sum x[i] exclusive\n"
                             "scan(i in 0..n) g = max x[i]");
  for (int round = 0; round < rounds; ++round) {
    auto x = random_list<std::int64_t>(random, random_length(random));
    std::vector<std::int64_t> y(x.size()), z(x.size()), g(x.size());
    executable.bind("x", x);
    executable.bind("y", y);
    executable.bind("z", z);
    executable.bind("g", g);

    executable.run();

    std::uint64_t sum = 0;
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(z[i], static_cast<std::int64_t>(sum)) << "round " << round << " at " << i;
      sum += static_cast<std::uint64_t>(x[i]);
      greatest = std::max(greatest, x[i]);
      ASSERT_EQ(y[i], static_cast<std::int64_t>(sum)) << "round " << round << " at " << i;
      ASSERT_EQ(g[i], greatest) << "round " << round << " at " << i;
    }
  }
}

TEST(IntegerPrimitives, CountAndReduceAsMapsAndLoopsDo) {
  Random random(6);
  auto executable = compiled("i32",
                             "out h: i32[5], k: i32[n], s: i64[n], m: i32\n"
                             "histogram(i in 0..n) h = x[i]\n"
                             "reduce_by_key(i in 0..n) k, s, m = x[i], sum i64(x[i]) + 1");
  for (int round = 0; round < rounds; ++round) {
    auto x = random_list<std::int32_t>(random, random_length(random));
    std::vector<std::int32_t> h(5), k(x.size());
    std::vector<std::int64_t> s(x.size());
    executable.bind("x", x);
    executable.bind("h", h);
    executable.bind("k", k);
    executable.bind("s", s);

    const auto result = executable.run();

    std::vector<std::int32_t> counts(5), keys;
    std::vector<std::int64_t> sums;
    for (const std::int32_t one : x) {
      if (one >= 0 && one < 5) ++counts[static_cast<std::size_t>(one)];
      if (keys.empty() || keys.back() != one) {
        keys.push_back(one);
        sums.push_back(0);
      }
      sums.back() += std::int64_t{one} + 1;
    }
    ASSERT_EQ(h, counts) << "round " << round;
    ASSERT_EQ(result.get<std::int32_t>("m"), std::ssize(keys)) << "round " << round;
    ASSERT_TRUE(same_list(k, keys, keys.size())) << "round " << round;
    ASSERT_TRUE(same_list(s, sums, sums.size())) << "round " << round;
  }
}

// More than 65,536 values: the merges take fewer runs at a time, and several rounds.
TEST(IntegerPrimitives, SortManyValues) {
  Random random(7);
  std::vector<std::int32_t> x(200'003);
  for (auto& one : x) one = static_cast<std::int32_t>(random.between(-40'000, 40'000));
  auto expected = x;
  std::vector<std::int32_t> y(x.size());
  auto executable = compiled("i32", "out y: i32[n]\nsort(i in 0..n) y = x[i]");
  executable.bind("x", x);
  executable.bind("y", y);

  executable.run();

  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(y, expected);
}

}  // namespace
}  // namespace gyre
