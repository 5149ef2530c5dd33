/// What calls are handed: temporaries on the GPU, and copies on the host.
#include "one_call.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace gyre::executors {
namespace {

using CallTemporaries = RecordedTest;

TEST_F(CallTemporaries, LieApartAndAlignedAndAreTheSameEachTime) {
  std::vector<std::uintptr_t> taken;
  const BoundProgram bound(
      one_call, calling([&](const ir::DeviceCallContext& c) {
        for (const std::size_t bytes : {1U, 300U, 1U << 20, 256U, 5U}) {
          taken.push_back(reinterpret_cast<std::uintptr_t>(c.temporary<char>(bytes)));
        }
        EXPECT_EQ(c.temporary<double>(0), nullptr);
      }));

  static_cast<void>(bound.nodes());
  const auto first = std::exchange(taken, {});
  static_cast<void>(bound.nodes());

  EXPECT_EQ(taken, first);
  ASSERT_EQ(first.size(), 5U);
  EXPECT_EQ(first[1] - first[0], 256U);
  EXPECT_EQ(first[4] - first[3], 256U);
  // What does not fit behind the others has a chunk of its own.
  EXPECT_TRUE(first[2] + (1U << 20) <= first[0] || first[0] + (1U << 18) <= first[2]);
  EXPECT_TRUE(first[3] + 512 <= first[2] || first[2] + (1U << 20) <= first[3]);
}

TEST_F(CallTemporaries, AreSharedByAllCallsAndGrowWithoutMoving) {
  std::vector<char*> taken;
  std::size_t bytes = 100;
  const BoundProgram bound(
      "program p(n: size) {\n  inout x: f64[n]\n  call work(x)\n  call work(x)\n}",
      calling([&](const ir::DeviceCallContext& c) { taken.push_back(c.temporary<char>(bytes)); }));

  const std::size_t before = bound.program().held_bytes();

  for (const std::size_t wanted : {100U, 1U << 22, 100U, 1U << 22}) {
    bytes = wanted;
    static_cast<void>(bound.nodes());
  }

  ASSERT_EQ(taken.size(), 8U);
  EXPECT_EQ(taken[0], taken[1]);
  EXPECT_NE(taken[0], taken[2]);
  EXPECT_EQ(taken[4], taken[0]);
  EXPECT_EQ(taken[6], taken[2]);
  EXPECT_EQ(bound.program().held_bytes() - before, (1U << 18) + (1U << 22));
}

// They may run at once.
TEST_F(CallTemporaries, AreOfEachArmsOwn) {
  std::vector<char*> taken;
  const BoundProgram bound(
      "program p(n: size) {\n  inout x: f64[n], y: f64[n]\n  call work(x)\n"
      "  fork { call work(x) } and { call work(y)\n call work(y) }\n  call work(x)\n}",
      calling([&](const ir::DeviceCallContext& c) { taken.push_back(c.temporary<char>(100)); }));

  static_cast<void>(bound.nodes());

  ASSERT_EQ(taken.size(), 5U);
  EXPECT_EQ(taken[0], taken[4]);
  EXPECT_NE(taken[1], taken[2]);
  EXPECT_EQ(taken[2], taken[3]);
  EXPECT_NE(taken[1], taken[0]);
}

using CallsOnHost = RecordedTest;

/// A callee that is placed on the host and has `work` as its host form.
ir::Callee on_host(std::function<void(ir::HostCallContext&)> work) {
  ir::Callee callee;
  callee.host = std::move(work);
  callee.placement = ir::Placement::Host;
  return callee;
}

TEST_F(CallsOnHost, WorkOnCopiesThatArePutBack) {
  const BoundProgram bound(one_call, registry_of(on_host([](ir::HostCallContext& c) {
                             EXPECT_EQ(c.arguments[0].extents, std::vector<std::int64_t>{10});
                             std::fill_n(c.pointer<double>(0), 10, c.pointer<double>(0)[3] + 1);
                           })));
  double* x = argument_of(bound);
  x[3] = 41;

  run_on_host(bound.program(), call_of(bound), bound.stream());

  EXPECT_EQ(std::vector<double>(x, x + 10), std::vector<double>(10, 42));
}

TEST_F(CallsOnHost, WhatIsOnlyReadIsNotPutBack) {
  auto callee = on_host([](ir::HostCallContext& c) { c.pointer<double>(0)[0] = 7; });
  callee.name = "work";
  callee.accesses = {ir::Access::Read};
  const BoundProgram bound(one_call, {{"work", std::make_shared<const ir::Callee>(callee)}});
  double* x = argument_of(bound);

  run_on_host(bound.program(), call_of(bound), bound.stream());

  EXPECT_EQ(x[0], 0);
}

TEST_F(CallsOnHost, DeviceFormIsPutOnTheStreamAsItIs) {
  ir::Callee callee;
  callee.device = [](const ir::DeviceCallContext& c) {
    wait_for_stream(c);
    launch_host_function(c);
    clear_first(c);
  };
  callee.host = [](ir::HostCallContext&) { FAIL() << "there is a device form"; };
  callee.placement = ir::Placement::Host;
  const BoundProgram bound(one_call, registry_of(callee));
  double* x = argument_of(bound);
  x[0] = 5;

  run_on_host(bound.program(), call_of(bound), bound.stream());

  EXPECT_EQ(x[0], 0);
}

TEST_F(CallsOnHost, StandInNoGraph) {
  const BoundProgram bound(one_call, registry_of(on_host([](ir::HostCallContext&) {})));

  EXPECT_THROW(static_cast<void>(bound.nodes()), RefusedCall);
}

}  // namespace
}  // namespace gyre::executors
