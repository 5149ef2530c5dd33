/// Sorts and scans by CUB beside gyre's own loops, which cpu runs: bit for bit.
#include "gyre/libraries/cub.hpp"

#include "call_test.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace gyre {
namespace {

constexpr std::size_t lengths[] = {0, 1, 2, 255, 256, 257, 65'535, 65'536, 65'537, 1'000'003};

// Every sort and scan is a call.
const ir::LibraryLimits always = {.least_sort = 0, .least_scan = 0, .most_places_a_value = 1 << 30};

template <class T>
std::vector<T> make_list(std::size_t length, bool few) {
  std::mt19937_64 random(length);
  std::vector<T> list(length);
  for (T& one : list) {
    const std::uint64_t bits = random();
    if (few) {
      one = static_cast<T>(static_cast<std::int64_t>(bits % 7) - 3);
    } else {
      one = static_cast<T>(static_cast<std::int64_t>(bits)) / T{3};
    }
    if constexpr (std::is_floating_point_v<T>) {
      using limits = std::numeric_limits<T>;
      const T edges[] = {T{0},
                         -T{0},
                         limits::quiet_NaN(),
                         -limits::quiet_NaN(),
                         limits::max(),
                         limits::lowest(),
                         limits::infinity(),
                         -limits::infinity(),
                         limits::min(),
                         limits::denorm_min()};
      if (bits % 10 == 0) one = edges[bits / 16 % std::size(edges)];
    } else {
      if (bits % 100 == 0) one = std::numeric_limits<T>::min();
      if (bits % 100 == 1) one = std::numeric_limits<T>::max();
    }
  }
  return list;
}

template <class T>
bool same(T a, T b) {
  if (a != a || b != b) return a != a && b != b;
  if constexpr (std::is_floating_point_v<T>) return a == b && std::signbit(a) == std::signbit(b);
  return a == b;
}

template <class T>
testing::AssertionResult same_lists(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) {
      return testing::AssertionFailure() << a[i] << " and " << b[i] << " at " << i;
    }
  }
  return testing::AssertionResult(a.size() == b.size());
}

class Cub : public CallTest {
 protected:
  static Executable compile_with_cub(const std::string& text, const ir::LibraryLimits& limits) {
    CompileOptions options;
    options.executor = GetParam();
    options.library = libraries::cub(limits);
    return compile(parse_program("test.gyre", text), options);
  }
  static Executable compile_on_cpu(const std::string& text) {
    return compile(parse_program("test.gyre", text), {.executor = "cpu"});
  }

  // Both directions, with a payload, in place, and of what is computed.
  template <class T>
  static void expect_sorted_alike() {
    const std::string type(ir::name_of(ir::type_of<T>));
    const std::string text = "program sorts(n: size) {\n  inout x: " + type + "[n], y: " + type +
                             "[n], z: " + type +
                             "[n], at: i32[n]\n"
                             "  sort(i in 0..n) y, at = x[i], i32(i) descending\n"
                             "  sort(i in 0..n) z = x[i]\n"
                             "  sort(i in 0..n) x = x[n - 1 - i]\n}\n";
    Executable on_gpu = compile_with_cub(text, always);
    Executable on_cpu = compile_on_cpu(text);
    for (const std::size_t length : lengths) {
      for (const bool few : {false, true}) {
        struct Lists {
          std::vector<T> x, y, z;
          std::vector<std::int32_t> at;
        };
        const Lists start{make_list<T>(length, few), std::vector<T>(length), std::vector<T>(length),
                          std::vector<std::int32_t>(length)};
        const auto run = [&](Executable& executable) {
          Lists lists = start;
          executable.bind("x", lists.x);
          executable.bind("y", lists.y);
          executable.bind("z", lists.z);
          executable.bind("at", lists.at);
          EXPECT_TRUE(executable.run().completed());
          return lists;
        };

        const Lists gpu = run(on_gpu);
        const Lists cpu = run(on_cpu);

        ASSERT_TRUE(same_lists(gpu.x, cpu.x)) << length << " of " << type;
        ASSERT_TRUE(same_lists(gpu.y, cpu.y)) << length << " of " << type;
        ASSERT_TRUE(same_lists(gpu.z, cpu.z)) << length << " of " << type;
        ASSERT_TRUE(same_lists(gpu.at, cpu.at)) << length << " of " << type;
      }
    }
  }
};

TEST_P(Cub, SortsEveryTypeAsLoopsDo) {
  expect_sorted_alike<std::int32_t>();
  expect_sorted_alike<std::int64_t>();
  expect_sorted_alike<float>();
  expect_sorted_alike<double>();
}

TEST_P(Cub, SumsIntegersAsLoopsDo) {
  const std::string text = R"(program sums(n: size) {
  in x: i32[n], w: i64[n]
  inout a: i32[n], b: i32[n], c: i64[n], d: i64[n]
  scan(i in 0..n) a = sum x[i]
  scan(i in 0..n) b = sum x[i] exclusive
  scan(i in 0..n) c = sum w[i]
  scan(i in 0..n) d = sum w[i] exclusive
}
)";
  Executable on_gpu = compile_with_cub(text, always);
  Executable on_cpu = compile_on_cpu(text);
  for (const std::size_t length : lengths) {
    const auto x = make_list<std::int32_t>(length, false);
    const auto w = make_list<std::int64_t>(length, false);
    struct Sums {
      std::vector<std::int32_t> a, b;
      std::vector<std::int64_t> c, d;
      bool operator==(const Sums&) const = default;
    };
    const auto run = [&](Executable& executable) {
      Sums sums{std::vector<std::int32_t>(length), std::vector<std::int32_t>(length),
                std::vector<std::int64_t>(length), std::vector<std::int64_t>(length)};
      executable.bind("x", x);
      executable.bind("w", w);
      executable.bind("a", sums.a);
      executable.bind("b", sums.b);
      executable.bind("c", sums.c);
      executable.bind("d", sums.d);
      EXPECT_TRUE(executable.run().completed());
      return sums;
    };

    EXPECT_TRUE(run(on_gpu) == run(on_cpu)) << length;
  }
}

// The length is what the device has counted, and the graph is the same for all of them.
TEST_P(Cub, SortsAsManyAsTheDeviceTellsInALoop) {
  const std::string text = R"(program part(n: size) {
  in x: f32[n], above: f32
  inout y: f32[n], at: i64[n]
  out many: i64
  for t in 0..3 {
    compact(i in 0..n) y, at, many = x[i], i where x[i] > above
    sort(i in 0..many) y, at = y[i], at[i] descending
  }
}
)";
  Executable always_calls = compile_with_cub(text, always);
  Executable decides = compile_with_cub(text, {.least_sort = 1000, .most_places_a_value = 4});
  Executable on_cpu = compile_on_cpu(text);
  const std::size_t n = 100'000;
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i * 7919 % n);
  for (const float above : {-1.0F, 20'000.0F, 80'000.0F, 99'500.0F, 99'998.0F, 1e9F}) {
    const auto run = [&](Executable& executable) {
      std::vector<float> y(n, -5.0F);
      std::vector<std::int64_t> at(n, -5);
      executable.bind("x", x);
      executable.bind("y", y);
      executable.bind("at", at);
      executable.set("above", above);
      EXPECT_TRUE(executable.run().completed());
      return std::pair(y, at);
    };

    const auto expected = run(on_cpu);

    EXPECT_EQ(run(always_calls), expected) << above;
    EXPECT_EQ(run(decides), expected) << above;
  }
}

INSTANTIATE_TEST_SUITE_P(Executors, Cub,
                         testing::Values("device_graph", "host_branch", "persistent"),
                         executor_name);

}  // namespace
}  // namespace gyre
