/// Work that no graph can hold: refused in one sentence by name, and everything goes on afterwards.
#include "call_test.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/capture.hpp"

#include <atomic>
#include <cstdint>
#include <thread>

#include <gmock/gmock.h>

namespace gyre {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// One kind of work that is refused.
struct Offence {
  const char* name;
  std::function<void(CallContext&)> work;
  /// What the sentence says of it.
  const char* said;
};

/// A stream beside the call's, with an event that was recorded there before. Made before any call
/// is recorded.
const Side& outside() {
  static const Side side;
  static const cudaError_t recorded = cudaEventRecord(side.join, side.stream);
  must(recorded);
  return side;
}

void allocate(CallContext& c) {
  void* memory = nullptr;
  must(cudaMallocAsync(&memory, 1024, c.stream()));
  must(cudaFreeAsync(memory, c.stream()));
}

void copy_to_pageable_memory(CallContext& c) {
  static std::vector<std::int32_t> pageable(1);
  must(cudaMemcpyAsync(pageable.data(), c.temporary<std::int32_t>(1), sizeof(std::int32_t),
                       cudaMemcpyDeviceToHost, c.stream()));
}

void record_an_external_event(CallContext& c) {
  must(cudaEventRecordWithFlags(outside().join, c.stream(), cudaEventRecordExternal));
}

void wait_for_an_event_of_outside(CallContext& c) {
  must(cudaStreamWaitEvent(c.stream(), outside().join));
}

void forget_to_join(CallContext& c) {
  const Side& side = outside();
  must(cudaEventRecord(side.fork, c.stream()));
  must(cudaStreamWaitEvent(side.stream, side.fork));
  kernels::add(side.stream, 1, 0, c.temporary<std::int32_t>(1));
}

/// What another executable with a branch does when it joins the capture of the call's stream.
void hold_a_conditional_node(CallContext& c) {
  const cuda::StreamView stream(static_cast<CUstream>(c.stream()));
  const auto live = cuda::live_capture(stream);
  const cuda::GraphView graph(live->graph, std::make_shared<cuda::NodeNames>());
  const auto node = graph.add_conditional("nested", cuda::ConditionalKind::If, graph.make_handle(1),
                                          1, live->last);
  node.bodies[0].add_empty({});
  cuda::continue_capture(stream, {{{node.node}}});
}

std::vector<Offence> offences() {
  return {
      {"HostFunction",
       [](CallContext& c) {
         must(cudaLaunchHostFunc(
             c.stream(), [](void*) {}, nullptr));
       },
       "runs a host function"},
      {"Allocation", allocate, "take the memory from the context's temporary"},
      {"PageableCopy", copy_to_pageable_memory, "pageable host memory; pin it"},
      {"ExternalEvent", record_an_external_event, "event of outside"},
      {"EventOfOutside", wait_for_an_event_of_outside, "event of outside"},
      {"LegacyStream",
       [](CallContext& c) {
         kernels::add_on_the_legacy_stream(1, 0, c.temporary<std::int32_t>(1));
         must(cudaGetLastError());
       },
       "uses the legacy default stream"},
      {"LegacyStreamUnchecked",
       [](CallContext& c) {
         kernels::add_on_the_legacy_stream(1, 0, c.temporary<std::int32_t>(1));
       },
       "the legacy default stream"},
      {"ForgottenJoin", forget_to_join, "not joined back; record an event there"},
      {"ConditionalNode", hold_a_conditional_node, "holds a graph with conditional nodes"},
      {"Synchronising", [](CallContext& c) { must(cudaStreamSynchronize(c.stream())); },
       "waits for the GPU"},
      {"SynchronisingUnchecked", [](CallContext& c) { cudaStreamSynchronize(c.stream()); },
       "waits for the GPU"},
      {"DeviceSynchronising", [](CallContext&) { must(cudaDeviceSynchronize()); },
       "waits for the GPU"},
      {"PlainAllocation",
       [](CallContext&) {
         void* memory = nullptr;
         must(cudaMalloc(&memory, 1024));
         must(cudaFree(memory));
       },
       "temporary"},
      {"EndingTheCapture",
       [](CallContext& c) {
         cudaGraph_t graph = nullptr;
         must(cudaStreamEndCapture(c.stream(), &graph));
       },
       "ends a capture of its stream by itself"},
      {"Throwing", [](CallContext&) { throw std::runtime_error("no plan for this shape"); },
       "threw while it was recorded: no plan for this shape"},
      {"Collective", [](CallContext& c) { kernels::collective(c.stream()); }, "collective of NCCL"},
  };
}

class RefusedCalls : public CallTest {
 protected:
  void SetUp() override {
    CallTest::SetUp();
    if (!IsSkipped()) outside();
  }

  static Executable compile_with(const std::function<void(CallContext&)>& work,
                                 const std::string& executor = GetParam()) {
    return compile_loop_around(
        [&](Program& p, const auto& x) {
          p.call("work", updates(x), [=](CallContext& c) {
            kernels::add(c.stream(), c.count(x), 1, c.ptr(x));
            work(c);
          });
        },
        executor);
  }

  /// What is said where the call is refused; `x` stays as it was.
  static std::string complaint_about(const std::function<void(CallContext&)>& work) {
    std::vector<std::int32_t> x(1000, 5);
    std::string said = "nothing";
    try {
      Executable executable = compile_with(work);
      executable.bind("x", x);
      executable.run();
    } catch (const UsageError& error) {
      said = error.what();
    }
    EXPECT_EQ(x, std::vector<std::int32_t>(1000, 5));
    cudaGetLastError();
    return said;
  }

  static void expect_that_a_good_one_works() {
    Executable good = compile_with([](CallContext&) {});
    EXPECT_EQ(run_on_thousand(good, 5), std::vector<std::int32_t>(1000, 8));
  }
};

TEST_P(RefusedCalls, EachKindIsOneSentenceAndAGoodOneWorksBehindIt) {
  for (const Offence& offence : offences()) {
    SCOPED_TRACE(offence.name);

    const std::string said = complaint_about(offence.work);

    EXPECT_THAT(said, AllOf(HasSubstr("the call 'work' in p/while#0"), HasSubstr(offence.said),
                            Not(HasSubstr("\n"))));
    expect_that_a_good_one_works();
  }
}

TEST_P(RefusedCalls, FiveInARowAndThenAGoodOne) {
  const auto all = offences();
  for (const char* kind :
       {"Synchronising", "Throwing", "LegacyStream", "ForgottenJoin", "Allocation"}) {
    for (const Offence& offence : all) {
      if (std::string(offence.name) != kind) continue;
      EXPECT_THAT(complaint_about(offence.work), HasSubstr(offence.said)) << kind;
    }
  }

  expect_that_a_good_one_works();
}

TEST_P(RefusedCalls, WhatTheWorkThrewIsNestedInTheRefusal) {
  Executable throwing = compile_with([](CallContext&) { throw std::out_of_range("shape 7"); });
  std::vector<std::int32_t> x(10);
  throwing.bind("x", x);

  try {
    throwing.run();
    FAIL() << "it ran";
  } catch (const UsageError& refusal) {
    EXPECT_THROW(std::rethrow_if_nested(refusal), std::out_of_range);
  }
}

TEST_P(RefusedCalls, AutoLeavesTheProgramToTheHostInstead) {
  Executable executable = compile_with(allocate, "auto");

  EXPECT_EQ(run_on_thousand(executable, 5), std::vector<std::int32_t>(1000, 8));
  EXPECT_EQ(executable.executor(), "host_branch");
}

TEST_P(RefusedCalls, OneWithoutDeviceFormIsNamed) {
  Executable hostly = compile_loop_around([](Program& p, const auto& x) {
    p.call("work", updates(x), [=](HostCallContext& c) { c.span(x)[0] = 1; });
  });
  std::vector<std::int32_t> x(10);
  hostly.bind("x", x);

  try {
    hostly.run();
    FAIL() << "it ran";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("'work' in p/while#0"), HasSubstr("no device form"),
                                    HasSubstr("place it on the host")));
  }
}

TEST_P(RefusedCalls, ThreadThatUsesTheLegacyStreamSpoilsNoOtherThreadsCompile) {
  std::atomic<bool> over = false;
  std::thread other([&] {
    while (!over) {
      cudaStreamSynchronize(cudaStreamLegacy);
      cudaGetLastError();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });

  for (int i = 0; i < 100; ++i) expect_that_a_good_one_works();

  over = true;
  other.join();
}

INSTANTIATE_TEST_SUITE_P(Calls, RefusedCalls, testing::Values("device_graph"), executor_name);

class EagerCalls : public CallTest {};

TEST_P(EagerCalls, MayDoWhatNoGraphCanHold) {
  int host_calls = 0;
  const std::vector<std::int32_t> ones(1000, 1);
  Executable eager = compile_loop_around([&](Program& p, const auto& x) {
    p.call("work", updates(x), [=, &host_calls](CallContext& c) {
      must(cudaLaunchHostFunc(
          c.stream(), [](void* count) { ++*static_cast<int*>(count); }, &host_calls));
      std::int32_t* memory = nullptr;
      must(cudaMallocAsync(&memory, 4000, c.stream()));
      must(cudaMemcpyAsync(memory, ones.data(), 4000, cudaMemcpyHostToDevice, c.stream()));
      must(cudaStreamSynchronize(c.stream()));
      must(cudaMemcpyAsync(c.ptr(x), memory, 4000, cudaMemcpyDeviceToDevice, c.stream()));
      must(cudaFreeAsync(memory, c.stream()));
      kernels::add(c.stream(), c.count(x), 1, c.ptr(x));
    });
  });

  EXPECT_EQ(run_on_thousand(eager, 9), std::vector<std::int32_t>(1000, 2));
  EXPECT_EQ(host_calls, 3);
}

TEST_P(EagerCalls, WhatTheyThrowPassesThroughAndTheNextRunWorks) {
  bool broken = true;
  Executable eager = compile_loop_around([&](Program& p, const auto& x) {
    p.call("work", updates(x), [=, &broken](CallContext& c) {
      if (broken) throw std::out_of_range("broken");
      kernels::add(c.stream(), c.count(x), 1, c.ptr(x));
    });
  });
  std::vector<std::int32_t> x(1000, 1);
  eager.bind("x", x);

  EXPECT_THROW(eager.run(), std::out_of_range);
  broken = false;

  EXPECT_EQ(run_on_thousand(eager, 1), std::vector<std::int32_t>(1000, 4));
}

INSTANTIATE_TEST_SUITE_P(Calls, EagerCalls, testing::Values("host_branch"), executor_name);

}  // namespace
}  // namespace gyre
