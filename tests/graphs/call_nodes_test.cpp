/// What calls become as nodes of a graph, which of them are refused, and in which words. A driver
/// that only remembers stands in for a GPU.
#include "gyre/base/error.hpp"
#include "one_call.hpp"

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>

namespace gyre::executors {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// What is said where the only call does `work`; empty where it is taken.
std::string complaint_about(const DeviceWork& work) {
  const BoundProgram bound(one_call, calling(work));
  try {
    static_cast<void>(bound.nodes());
    return {};
  } catch (const RefusedCall& refusal) {
    return refusal.what();
  }
}

void break_captures(int count) {
  find_in_recording_driver<void(int)>("break_captures")(count);
}

using CallNodes = RecordedTest;

TEST_F(CallNodes, ACallIsAChildGraphInItsPlace) {
  const auto nodes = BoundProgram(R"(program p(n: size) {
  in k: i32
  inout x: f64[n]
  var i: i32
  while i < k {
    foreach j in 0..n { x[j] += 1.0 }
    call work(x)
    i += 1
  }
})",
                                  calling(clear_first))
                         .nodes();

  EXPECT_EQ(nodes, R"(kernel p_scalars
while
  kernel p_while0_foreach0
  child graph
    clear of 80 bytes
  kernel p_while0_scalars
kernel gyre_end
)");
}

TEST_F(CallNodes, ScalarWorkThatACallHasNothingToDoWithGoesInFrontOfIt) {
  const auto nodes = BoundProgram(R"(program p(n: size) {
  in k: i32, which: i32[n]
  inout x: f64[n]
  call work(x)
  if which[0] > k { call work(x) }
})",
                                  calling(clear_first), {}, plan::all_steps)
                         .nodes();

  EXPECT_EQ(nodes, R"(kernel p_if0_scalars
child graph
  clear of 80 bytes
switch
case 0
  child graph
    clear of 80 bytes
  kernel gyre_end
case 1
  kernel gyre_end
case 2
  kernel gyre_end
)");
}

TEST_F(CallNodes, ACallThatWritesWhatDecidesComesFirst) {
  const auto nodes = BoundProgram(R"(program p(n: size) {
  inout x: f64[n]
  call work(x)
  if x[0] > 1.0 { call work(x) }
  call work(x)
})",
                                  calling(clear_first), {}, plan::all_steps)
                         .nodes();

  EXPECT_EQ(nodes, R"(child graph
  clear of 80 bytes
kernel p_if0_scalars
if
  child graph
    clear of 80 bytes
child graph
  clear of 80 bytes
kernel gyre_end
)");
}

TEST_F(CallNodes, OneThatRecordsNothingStillCountsInALoop) {
  EXPECT_EQ(BoundProgram(one_call, calling([](const ir::DeviceCallContext&) {})).nodes(),
            "kernel gyre_begin\nclear of 4 bytes\nkernel gyre_end\n");
}

TEST_F(CallNodes, HostFunctionIsRefusedAndTheNextCallIsTaken) {
  EXPECT_EQ(complaint_about(launch_host_function),
            "the call 'work' in p/call#0 runs a host function (cudaLaunchHostFunc), which the GPU "
            "cannot start by itself; place the call on the host");
  EXPECT_EQ(complaint_about(clear_first), "");
}

TEST_F(CallNodes, WaitingIsRefusedByWhatItThrew) {
  EXPECT_THAT(complaint_about(wait_for_stream),
              AllOf(StartsWith("the call 'work' in p/call#0 waits for the GPU or allocates memory "
                               "while it is recorded"),
                    HasSubstr("(it threw: cuStreamSynchronize failed")));
}

TEST_F(CallNodes, WaitingThatDropsTheErrorIsRefusedToo) {
  EXPECT_THAT(complaint_about([](const ir::DeviceCallContext& c) {
                cuda::driver()->cuStreamSynchronize(static_cast<CUstream>(c.stream));
              }),
              HasSubstr("does what cannot be recorded: it waits for the GPU"));
}

TEST_F(CallNodes, AllocatingIsRefused) {
  EXPECT_THAT(complaint_about([](const ir::DeviceCallContext&) { cuda::DeviceMemory memory(8); }),
              HasSubstr("take memory from the context's temporary"));
}

TEST_F(CallNodes, EndingTheRecordingIsRefused) {
  EXPECT_THAT(complaint_about([](const ir::DeviceCallContext& c) {
                CUgraph graph = nullptr;
                cuda::driver()->cuStreamEndCapture(static_cast<CUstream>(c.stream), &graph);
              }),
              HasSubstr("begins or ends a capture of its stream by itself"));
}

TEST_F(CallNodes, WhatTheWorkThrewIsQuotedAndNested) {
  const BoundProgram bound(one_call, calling([](const ir::DeviceCallContext&) {
                             throw std::out_of_range("no plan for shape 7");
                           }));
  try {
    static_cast<void>(bound.nodes());
    FAIL() << "it was taken";
  } catch (const RefusedCall& refusal) {
    EXPECT_STREQ(refusal.what(),
                 "the call 'work' in p/call#0 threw while it was recorded: no plan for shape 7");
    EXPECT_THROW(std::rethrow_if_nested(refusal), std::out_of_range);
  }
}

TEST_F(CallNodes, FiveFailuresAndThenAGoodOne) {
  for (int i = 0; i < 5; ++i) EXPECT_NE(complaint_about(wait_for_stream), "");

  EXPECT_EQ(complaint_about(clear_first), "");
}

TEST_F(CallNodes, RecordingThatAnotherThreadBreaksIsBegunAgain) {
  int runs = 0;
  const auto count = [&](const ir::DeviceCallContext& c) {
    ++runs;
    clear_first(c);
  };
  break_captures(2);

  EXPECT_EQ(complaint_about(count), "");
  EXPECT_EQ(runs, 3);
}

TEST_F(CallNodes, RecordingThatIsAlwaysBrokenIsGivenUp) {
  break_captures(1000);

  EXPECT_THAT(complaint_about(clear_first), HasSubstr("does what cannot be recorded"));
  break_captures(0);
  EXPECT_EQ(complaint_about(clear_first), "");
}

TEST_F(CallNodes, OneWithoutDeviceFormIsNamedWithWhatItCouldBe) {
  ir::Callee callee;
  callee.host = [](ir::HostCallContext&) {};
  const BoundProgram bound(one_call, registry_of(callee));

  try {
    static_cast<void>(bound.nodes());
    FAIL() << "it was taken";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "the call 'work' in p/call#0 has no device form, so a GPU cannot run it; place it "
                 "on the host, give it one, or run with the cpu executor");
  }
}

TEST_F(CallNodes, GuardIsOpenWhereNothingGuards) {
  unsigned guard = 0;

  EXPECT_EQ(complaint_about([&](const ir::DeviceCallContext& c) { guard = *c.guard; }), "");

  EXPECT_EQ(guard, 1U);
}

}  // namespace
}  // namespace gyre::executors
