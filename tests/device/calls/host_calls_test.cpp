/// Calls that the host makes between graphs.
#include "call_test.hpp"

#include <cstdint>
#include <stdexcept>

#include <gmock/gmock.h>

namespace gyre {
namespace {

using testing::ElementsAre;

class HostCalls : public CallTest {};

TEST_P(HostCalls, SeeWhatTheDeviceHasComputedAndChangeIt) {
  Program p("damped");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {n});
  auto largest = p.out<double>("largest");
  auto by = p.in("by", 0.5);
  std::vector<double> seen;
  p.do_([&] {
     largest = max(0, n, [&](auto i) { return abs(x[i]); });
     p.call("damp", reads(by), updates(x, largest), [=, &seen](HostCallContext& c) {
        seen.push_back(c.scalar(largest));
        for (double& value : c.span(x)) value *= c.scalar(by);
        c.scalar(largest) *= c.scalar(by);
      }).on_host();
     p.foreach(0, n, [&](auto i) { x[i] = -x[i]; });
   }).while_(largest > 1);
  Executable damped = compile_here(p);
  std::vector<double> memory = {1, 8, 4};
  damped.bind("x", memory);

  const Result result = damped.run();

  EXPECT_THAT(seen, ElementsAre(8, 4, 2));
  EXPECT_THAT(memory, ElementsAre(-0.125, -1, -0.5));
  EXPECT_EQ(result.get<double>("largest"), 1);
}

TEST_P(HostCalls, DoNotReadWhatTheyOnlyWriteNorWriteWhatTheyOnlyRead) {
  Program p("copied");
  auto n = p.size("n");
  auto x = p.in<std::int32_t>("x", {n});
  auto y = p.out<std::int32_t>("y", {n});
  auto count = p.out<std::int64_t>("count");
  p.call("copy", reads(x), writes(y, count), [=](HostCallContext& c) {
     for (std::size_t i = 0; i < c.span(x).size(); ++i) c.span(y)[i] = c.span(x)[i];
     // The host has a copy of its own.
     for (std::int32_t& value : c.span(x)) value = -1;
     c.scalar(count) = static_cast<std::int64_t>(c.span(x).size());
   }).on_host();
  Executable copied = compile_here(p);
  const std::vector<std::int32_t> from = {1, 2, 3};
  std::vector<std::int32_t> to(3);
  copied.bind("x", from);
  copied.bind("y", to);

  const Result result = copied.run();

  EXPECT_THAT(from, ElementsAre(1, 2, 3));
  EXPECT_THAT(to, ElementsAre(1, 2, 3));
  EXPECT_EQ(result.get<std::int64_t>("count"), 3);
}

TEST_P(HostCalls, NothingIsCopiedOfAnEmptyBuffer) {
  Program p("empty");
  auto n = p.size("n");
  auto x = p.inout<std::int32_t>("x", {n});
  auto calls = p.inout("calls", 0);
  p.call("look", updates(x, calls), [=](HostCallContext& c) {
     EXPECT_TRUE(c.span(x).empty());
     c.scalar(calls) += 1;
   }).on_host();
  Executable empty = compile_here(p);
  std::vector<std::int32_t> none;
  empty.bind("x", none);
  empty.set("calls", 4);

  EXPECT_EQ(empty.run().get<std::int32_t>("calls"), 5);
}

TEST_P(HostCalls, DeviceFormIsPutOnTheStreamAndMayAllocateAndWait) {
  Executable free = compile_loop_around([](Program& p, const auto& x) {
    p.call("work", updates(x), [=](CallContext& c) {
       std::int32_t* memory = nullptr;
       must(cudaMallocAsync(&memory, 4000, c.stream()));
       kernels::reverse(c.stream(), c.count(x), c.ptr(x), memory);
       must(cudaStreamSynchronize(c.stream()));
       must(cudaMemcpyAsync(c.ptr(x), memory, 4000, cudaMemcpyDeviceToDevice, c.stream()));
       must(cudaFreeAsync(memory, c.stream()));
       kernels::add(c.stream(), c.count(x), 1, c.ptr(x));
     }).on_host();
  });

  EXPECT_EQ(run_on_thousand(free, 0), std::vector<std::int32_t>(1000, 3));
}

TEST_P(HostCalls, StandInOneArmOfABranch) {
  int calls = 0;
  Executable sometimes = compile_loop_around([&](Program& p, const auto& x) {
    p.if_(x[0] == 1, [&] {
       p.call("work", updates(x), [=, &calls](HostCallContext& c) {
          ++calls;
          for (std::int32_t& value : c.span(x)) value += 10;
        }).on_host();
     }).else_([&] {
      p.call("other", updates(x),
             [=](CallContext& c) { kernels::add(c.stream(), c.count(x), 1, c.ptr(x)); });
    });
  });

  EXPECT_EQ(run_on_thousand(sometimes, 0), std::vector<std::int32_t>(1000, 12));
  EXPECT_EQ(calls, 1);
}

TEST_P(HostCalls, WhatTheyThrowPassesThroughAndTheNextRunWorks) {
  bool broken = true;
  Executable sometimes = compile_loop_around([&](Program& p, const auto& x) {
    p.call("work", updates(x), [=, &broken](HostCallContext& c) {
       if (broken) throw std::out_of_range("broken");
       for (std::int32_t& value : c.span(x)) value += 1;
     }).on_host();
  });
  std::vector<std::int32_t> x(1000);
  sometimes.bind("x", x);

  EXPECT_THROW(sometimes.run(), std::out_of_range);
  broken = false;

  EXPECT_EQ(run_on_thousand(sometimes, 1), std::vector<std::int32_t>(1000, 4));
}

INSTANTIATE_TEST_SUITE_P(Calls, HostCalls, testing::Values("device_graph", "host_branch"),
                         executor_name);

}  // namespace
}  // namespace gyre
