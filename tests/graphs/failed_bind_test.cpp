/// What a bind leaves that an exception has ended.
#include "bound_program.hpp"
#include "gyre/cuda/check.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace gyre::executors {
namespace {

using Elements = std::array<double, 10>;

class FailedBind : public RecordedTest {
 protected:
  static void set_host_memory(const void* buffer) {
    find_in_recording_driver<void(const void*)>("record_host_memory")(buffer);
  }
  static void set_out_of_memory(bool is_out) {
    find_in_recording_driver<void(bool)>("record_out_of_memory")(is_out);
  }
  void TearDown() override {
    if (find_in_recording_driver<void(bool)>("record_out_of_memory") == nullptr) return;
    set_host_memory(nullptr);
    set_out_of_memory(false);
  }
};

// One buffer has moved before memory for the other is refused: graphs know neither.
TEST_F(FailedBind, MakesTheNextOneLayAllOutAnew) {
  const cuda::CurrentContext current(device_context());
  const auto plan = std::make_shared<const plan::Plan>(
      plan::make_plan(passes::run_passes(text::parse_program("test.gyre", R"(program p() {
  inout a: f64[10], b: f64[10]
  foreach i in 0..10 { a[i] += 1.0 }
  foreach i in 0..10 { b[i] += 1.0 }
})"))));
  DeviceProgram program(std::make_shared<const DeviceModule>(plan, jit::EmitOptions{}), 1, nullptr);
  Elements first{}, second{}, moved{}, host{};
  const auto bound = [&](Elements& a, Elements& b, std::uint64_t version) {
    ir::Arguments arguments;
    arguments.buffers["a"] = {ir::ScalarType::F64, {10}, a.data()};
    arguments.buffers["b"] = {ir::ScalarType::F64, {10}, b.data()};
    ir::Bound result = ir::resolve(plan->symbols, arguments);
    result.memory_version = version;
    return result;
  };
  const auto bind = [&](const ir::Bound& to) { return program.bind(to, [] {}); };
  const ir::Bound before = bound(first, second, 2);
  ASSERT_EQ(bind(bound(first, moved, 1)), DeviceProgram::Change::Layout);
  ASSERT_EQ(bind(before), DeviceProgram::Change::Addresses);
  ASSERT_EQ(bind(before), DeviceProgram::Change::Nothing);
  const auto fail = [&] {
    set_host_memory(host.data());
    set_out_of_memory(true);
    EXPECT_THROW(bind(bound(moved, host, 3)), cuda::CudaError);
    set_out_of_memory(false);
  };
  fail();

  EXPECT_EQ(bind(bound(moved, host, 4)), DeviceProgram::Change::Layout);

  ASSERT_EQ(bind(before), DeviceProgram::Change::Addresses);
  fail();
  EXPECT_EQ(bind(before), DeviceProgram::Change::Layout);
}

}  // namespace
}  // namespace gyre::executors
