/// Binding other memory between launches: node by node where the graph keeps its form, by building
/// it again where it does not.
#include "device_vector.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace gyre {
namespace {

using Rebinding = DeviceGraphTest;

// Has kernels, a clear, copies and branches, in and outside of a loop's body.
constexpr const char* everything_program = R"(program everything(n: size, m: size) {
  in x: i64[n], y: i64[m]
  out z: i64[n], w: i64[m], total: i64
  in k: i32
  copy w = y
  for i in 0..k {
    temp t: i64[n]
    foreach j in 0..n { t[j] = t[j] + x[j] + i64(i) }
    if i % 2 == 0 {
      copy z = t
    } else {
      foreach j in 0..n { z[j] = z[j] + t[j] }
    }
  }
  total = sum(j in 0..n) z[j] + sum(j in 0..m) w[j]
}
)";

std::int64_t expected_total(std::int64_t n, std::int64_t x, std::int64_t m, std::int64_t y,
                            std::int64_t k) {
  std::int64_t z = 0;
  for (std::int64_t i = 0; i < k; ++i) z = i % 2 == 0 ? x + i : z + x + i;
  return n * z + m * y;
}

TEST_F(Rebinding, EveryKindOfNodeFindsTheNewMemory) {
  Executable everything = make(everything_program);
  everything.set("k", 4);

  for (std::int64_t round = 0; round < 20; ++round) {
    const DeviceVector<std::int64_t> x(std::vector<std::int64_t>(100, round));
    const DeviceVector<std::int64_t> y(std::vector<std::int64_t>(70, 2 * round));
    const DeviceVector<std::int64_t> z(std::vector<std::int64_t>(100, -1));
    const DeviceVector<std::int64_t> w(std::vector<std::int64_t>(70, -1));
    bind(everything, "x", x);
    bind(everything, "y", y);
    bind(everything, "z", z);
    bind(everything, "w", w);

    const Result result = everything.run();

    EXPECT_EQ(result.get<std::int64_t>("total"), expected_total(100, round, 70, 2 * round, 4));
    EXPECT_EQ(w.read(), std::vector<std::int64_t>(70, 2 * round));
  }
}

TEST_F(Rebinding, SizesComeAndGo) {
  Executable everything = make(everything_program);
  everything.set("k", 3);
  const std::vector<std::pair<std::size_t, std::size_t>> sizes = {
      {10, 0}, {0, 10}, {10, 10}, {0, 0}, {100'000, 3}, {3, 100'000}, {10, 0}};

  for (const auto& [n, m] : sizes) {
    const DeviceVector<std::int64_t> x(std::vector<std::int64_t>(n, 5));
    const DeviceVector<std::int64_t> y(std::vector<std::int64_t>(m, 7));
    const DeviceVector<std::int64_t> z(std::vector<std::int64_t>(n, -1));
    const DeviceVector<std::int64_t> w(std::vector<std::int64_t>(m, -1));
    bind(everything, "x", x);
    bind(everything, "y", y);
    bind(everything, "z", z);
    bind(everything, "w", w);

    EXPECT_EQ(everything.run().get<std::int64_t>("total"),
              expected_total(static_cast<std::int64_t>(n), 5, static_cast<std::int64_t>(m), 7, 3))
        << n << ", " << m;
  }
}

TEST_F(Rebinding, ASmallShapeRunsAgainAfterALargeOne) {
  Executable affine = make(affine_program);
  affine.set("k", 2);
  for (const std::size_t n : {10U, 1'000'000U, 10U, 1'000U}) {
    const DeviceVector<double> x(std::vector<double>(n, 1.0));
    bind(affine, "x", x);
    ASSERT_TRUE(affine.run().completed());
    EXPECT_EQ(x.read(), std::vector<double>(n, 7.0));
  }
}

TEST_F(Rebinding, ARecordedCallIsRecordedAgain) {
  auto wipe = std::make_shared<ir::Callee>();
  wipe->name = "wipe";
  wipe->accesses = {ir::Access::Write};
  int recorded = 0;
  wipe->device = [&recorded](const ir::DeviceCallContext& call) {
    ++recorded;
    const auto address = reinterpret_cast<CUdeviceptr>(call.arguments[0].data);
    cuda::clear({address, static_cast<std::size_t>(call.arguments[0].element_count()) * 8},
                static_cast<CUstream>(call.stream));
  };
  Executable wiping = make(R"(program wiping(n: size) {
  inout x: i64[n]
  for i in 0..3 {
    if i == 1 { call wipe(x) }
    foreach j in 0..n { x[j] += 1 }
  }
}
)",
                           Overlap::Refuse, {{"wipe", wipe}});

  std::vector<DeviceVector<std::int64_t>> memory;
  for (int i = 0; i < 4; ++i) memory.emplace_back(std::vector<std::int64_t>(50, 9));

  for (const auto& x : memory) {
    const int before = recorded;
    bind(wiping, "x", x);
    wiping.run();
    wiping.run();
    EXPECT_EQ(x.read(), std::vector<std::int64_t>(50, 2));
    EXPECT_EQ(recorded, before + 1);
  }
}

TEST_F(Rebinding, CopiesThatACallerTookKeepTheOldValues) {
  // f(x) = x^2 + 1
  Executable square = make(
      "program square() {\n  in x: f64[1]\n  out y: f64[1]\n  foreach i in 0..1 { y[i] = x[i] * "
      "x[i] + 1.0 }\n}\n");
  const DeviceVector<double> x({3.0});
  const DeviceVector<double> y({0.0});
  bind(square, "x", x);
  bind(square, "y", y);

  square.run();
  const auto first = y.read();
  x.write({4.0});
  square.run();

  EXPECT_EQ(first, std::vector<double>{10.0});
  EXPECT_EQ(y.read(), std::vector<double>{17.0});
}

// Grows until the graph is built again, with branches whose arms are IF nodes.
TEST_F(Rebinding, ArmsThatAreIfNodesKeepTheirHandles) {
  const auto plan = std::make_shared<const plan::Plan>(
      plan::make_plan(passes::run_passes(text::parse_program("test.gyre", everything_program))));
  const auto executor = executors::make_device_graph_executor(plan, {.switch_nodes = false});

  for (const std::int64_t n : {10, 0, 5'000, 10}) {
    std::vector<std::int64_t> x(static_cast<std::size_t>(n), 5);
    std::vector<std::int64_t> y(3, 7);
    std::vector<std::int64_t> z(x.size());
    std::vector<std::int64_t> w(3);
    const auto view = [](std::vector<std::int64_t>& values) {
      return ir::BufferView{
          ir::ScalarType::I64, {static_cast<std::int64_t>(values.size())}, values.data()};
    };
    ir::Arguments arguments;
    arguments.scalars.emplace("k", ir::Value(std::int32_t{5}));
    arguments.buffers = {{"x", view(x)}, {"y", view(y)}, {"z", view(z)}, {"w", view(w)}};

    const auto outcome = executor->run(ir::resolve(plan->symbols, arguments), {});

    EXPECT_EQ(outcome.scalars.at("total").as<std::int64_t>(), expected_total(n, 5, 3, 7, 5));
  }
}

}  // namespace
}  // namespace gyre
