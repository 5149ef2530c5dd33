/// What `persistent` owes beyond the meaning of a program: other sizes take another form of a loop.
#include "device_vector.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace gyre {
namespace {

class Persistent : public DeviceGraphTest {
 protected:
  static Executable make_on(const std::string& executor) {
    return compile(text::parse_program("relax.gyre", R"(program relax(n: size) {
  inout x: f64[n]
  in    k: i32
  out   total: f64
  temp  y: f64[n]
  for i in 0..k {
    foreach j in 0..n { y[j] = 0.5 * x[j] + 0.25 * x[n - 1 - j] }
    total = sum(j in 0..n) y[j]
    foreach j in 0..n { x[j] = y[j] / total }
  }
})"),
                   {.executor = executor, .overlap = Overlap::Queue});
  }

  static std::vector<double> numbers(std::size_t count) {
    std::vector<double> made(count);
    std::iota(made.begin(), made.end(), 1.0);
    return made;
  }
};

TEST_F(Persistent, OtherSizesRunInAnotherFormWithTheSameBits) {
  Executable on_gpu = make_on("persistent");
  Executable on_cpu = make_on("cpu");
  // A block, a cluster, grids of one and of several rounds, the graph, and back again.
  for (const std::size_t n : {1U, 700U, 1024U, 1025U, 8000U, 40'000U, 65'536U, 300'000U, 700U}) {
    std::vector<double> expected = numbers(n);
    const DeviceVector<double> actual(numbers(n));
    for (Executable* one : {&on_gpu, &on_cpu}) one->set("k", 20);
    on_cpu.bind("x", expected);
    on_gpu.bind("x", actual.data(), actual.extents());

    const double total = on_cpu.run().get<double>("total");

    EXPECT_EQ(on_gpu.run().get<double>("total"), total) << n;
    EXPECT_EQ(actual.read(), expected) << n;
  }
}

TEST_F(Persistent, LaunchesOfDifferentFormsOnOneMemoryFollowEachOther) {
  Executable on_gpu = make_on("persistent");
  Executable on_cpu = make_on("cpu");
  std::vector<double> expected = numbers(20'000);
  const DeviceVector<double> actual(expected);
  std::vector<Launch> launches;

  for (const std::int64_t n : {20'000, 500, 4000, 20'000, 500}) {
    on_cpu.set("k", 30);
    on_cpu.bind("x", expected.data(), {n});
    on_cpu.run();
    on_gpu.set("k", 30);
    on_gpu.bind("x", actual.data(), {n});
    launches.push_back(on_gpu.launch());
  }
  for (Launch& launch : launches) EXPECT_TRUE(launch.result().completed());

  EXPECT_EQ(actual.read(), expected);
}

}  // namespace
}  // namespace gyre
