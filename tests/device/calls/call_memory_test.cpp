/// What calls hold: temporaries of their context, memory that their work captured, and nothing that
/// is left behind.
#include "call_test.hpp"

#include <cstdint>
#include <memory>

namespace gyre {
namespace {

class CallMemory : public CallTest {
 protected:
  /// x reversed in each trip, by way of a temporary of at least `elements`.
  static Executable compile_reversal(std::size_t elements) {
    return compile_loop_around([=](Program& p, const auto& x) {
      p.call("work", updates(x), [=](CallContext& c) {
        const auto count = static_cast<std::size_t>(c.count(x));
        auto* reversed = c.temporary<std::int32_t>(std::max(count, elements));
        kernels::reverse(c.stream(), c.count(x), c.ptr(x), reversed);
        must(cudaMemcpyAsync(c.ptr(x), reversed, count * sizeof(std::int32_t),
                             cudaMemcpyDeviceToDevice, c.stream()));
      });
    });
  }

  static std::vector<std::int32_t> counted(std::size_t count) {
    std::vector<std::int32_t> x(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<std::int32_t>(i);
    return x;
  }

  static std::vector<std::int32_t> run_on_counted(Executable& executable, std::size_t count) {
    auto x = counted(count);
    executable.bind("x", x);
    EXPECT_TRUE(executable.run().completed());
    return x;
  }

  static std::vector<std::int32_t> reversed(std::size_t count) {
    auto x = counted(count);
    return {x.rbegin(), x.rend()};
  }
};

TEST_P(CallMemory, TemporariesAreAlignedAndApart) {
  std::vector<std::uintptr_t> addresses;
  Executable executable = compile_loop_around([&](Program& p, const auto& x) {
    p.call("work", updates(x), [=, &addresses](CallContext& c) {
      addresses = {reinterpret_cast<std::uintptr_t>(c.temporary<char>(1)),
                   reinterpret_cast<std::uintptr_t>(c.temporary<double>(33)),
                   reinterpret_cast<std::uintptr_t>(c.temporary<char>(1 << 20)),
                   reinterpret_cast<std::uintptr_t>(c.temporary<char>(1))};
      EXPECT_EQ(c.temporary<char>(0), nullptr);
      must(cudaMemsetAsync(reinterpret_cast<void*>(addresses[2]), 0, 1 << 20, c.stream()));
    });
  });

  run_on_thousand(executable, 0);

  ASSERT_EQ(addresses.size(), 4U);
  for (const std::uintptr_t address : addresses) EXPECT_EQ(address % 256, 0U);
  EXPECT_GE(addresses[1], addresses[0] + 1);
  EXPECT_NE(addresses[3], addresses[0]);
  EXPECT_NE(addresses[3], addresses[1]);
}

TEST_P(CallMemory, TemporariesStayWithTheirExecutableWhateverOthersTake) {
  Executable small = compile_reversal(0);
  EXPECT_EQ(run_on_counted(small, 1001), reversed(1001));
  {
    Executable large = compile_reversal(std::size_t{32} << 20);
    EXPECT_EQ(run_on_counted(large, 1001), reversed(1001));
    EXPECT_EQ(run_on_counted(small, 1001), reversed(1001));
  }

  EXPECT_EQ(run_on_counted(small, 1001), reversed(1001));
}

TEST_P(CallMemory, TemporariesGrowWithTheBuffers) {
  Executable executable = compile_reversal(0);

  for (const std::size_t count : {10U, 3'000'001U, 10U, 5'000'000U}) {
    EXPECT_EQ(run_on_counted(executable, count), reversed(count)) << count;
  }
}

TEST_P(CallMemory, CallsInOneProgramShareTheirTemporaries) {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  Executable executable = compile_loop_around([](Program& p, const auto& x) {
    for (int call = 0; call < 20; ++call) {
      p.call("work", updates(x), [=](CallContext& c) {
        auto* memory = c.temporary<std::int32_t>(bytes / sizeof(std::int32_t));
        must(cudaMemsetAsync(memory, 0, 4, c.stream()));
        kernels::add(c.stream(), c.count(x), 1, c.ptr(x));
      });
    }
  });
  const std::size_t before = free_bytes();

  EXPECT_EQ(run_on_thousand(executable, 0), std::vector<std::int32_t>(1000, 60));

  EXPECT_LT(before - free_bytes(), 2 * bytes);
}

TEST_P(CallMemory, WhatTheWorkHoldsLivesAsLongAsTheExecutable) {
  std::weak_ptr<void> watched;
  {
    Executable executable = [&] {
      std::int32_t* ones = nullptr;
      must(cudaMalloc(&ones, 1000 * sizeof(std::int32_t)));
      const std::shared_ptr<void> owner(ones, cudaFree);
      must(cudaMemset(ones, 0x01, 1000 * sizeof(std::int32_t)));
      watched = owner;
      return compile_loop_around([&](Program& p, const auto& x) {
        p.call("work", writes(x), [=](CallContext& c) {
          must(cudaMemcpyAsync(c.ptr(x), owner.get(), 1000 * sizeof(std::int32_t),
                               cudaMemcpyDeviceToDevice, c.stream()));
        });
      });
    }();
    EXPECT_FALSE(watched.expired());

    EXPECT_EQ(run_on_thousand(executable, 0), std::vector<std::int32_t>(1000, 0x01010101));
    EXPECT_EQ(run_on_thousand(executable, 0), std::vector<std::int32_t>(1000, 0x01010101));
  }

  EXPECT_TRUE(watched.expired());
}

TEST_P(CallMemory, AHundredCompilesKeepMemoryFlat) {
  const auto compile_and_run = [] {
    Executable executable = compile_reversal(1 << 20);
    EXPECT_EQ(run_on_counted(executable, 1001), reversed(1001));
  };
  // What is loaded and cached once.
  for (int i = 0; i < 3; ++i) compile_and_run();
  const std::size_t before = free_bytes();

  for (int i = 0; i < 100; ++i) compile_and_run();

  EXPECT_GE(free_bytes() + (std::size_t{2} << 20), before);
}

TEST_P(CallMemory, ManyLaunchesTakeNoMore) {
  Executable executable = compile_reversal(1 << 20);
  run_on_counted(executable, 1001);
  const std::size_t before = free_bytes();

  for (int i = 0; i < 200; ++i) run_on_counted(executable, 1001);

  EXPECT_EQ(free_bytes(), before);
}

INSTANTIATE_TEST_SUITE_P(Calls, CallMemory, testing::Values("device_graph", "host_branch"),
                         executor_name);

}  // namespace
}  // namespace gyre
