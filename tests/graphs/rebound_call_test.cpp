/// Binding other memory where a recorded call has the old address.
#include "gyre/executors/gpu.hpp"
#include "gyre/ir/bind.hpp"
#include "one_call.hpp"

#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

namespace gyre::executors {
namespace {

using ReboundCalls = RecordedTest;

ir::Bound bind_x(const plan::Plan& plan, std::vector<double>& x) {
  ir::Arguments arguments;
  arguments.buffers["x"] = {ir::ScalarType::F64, {10}, x.data()};
  return ir::resolve(plan.symbols, arguments);
}

TEST_F(ReboundCalls, OneThatIsRefusedThenIsRecordedBeforeItRuns) {
  bool throws = false;
  std::vector<const double*> recorded;
  const auto calls = calling([&](const ir::DeviceCallContext& c) {
    if (throws) throw std::runtime_error("not now");
    recorded.push_back(c.pointer<double>(0));
    clear_first(c);
  });
  const auto plan = std::make_shared<const plan::Plan>(
      plan::make_plan(passes::run_passes(text::parse_program("test.gyre", one_call, calls))));
  const auto executor = make_device_graph_executor(plan);
  std::array<std::vector<double>, 2> x = {std::vector<double>(10), std::vector<double>(10)};
  const ir::Bound first = bind_x(*plan, x[0]);
  const ir::Bound second = bind_x(*plan, x[1]);

  executor->prepare(first, {});
  throws = true;
  EXPECT_THROW(executor->prepare(second, {}), UsageError);
  throws = false;
  executor->prepare(second, {});

  EXPECT_EQ(recorded, (std::vector<const double*>{x[0].data(), x[1].data()}));
}

}  // namespace
}  // namespace gyre::executors
