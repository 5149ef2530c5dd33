/// Work that may stand in a call: kernels of all sorts, copies, and forks that are joined.
#include "call_test.hpp"

#include <cstdint>
#include <memory>
#include <numeric>

namespace gyre {
namespace {

class UserKernels : public CallTest {};

TEST_P(UserKernels, StandBetweenStatements) {
  Program p("axpy");
  auto n = p.size("n");
  auto alpha = p.in("alpha", 2.0);
  auto x = p.in<double>("x", {n});
  auto y = p.inout<double>("y", {n});
  auto total = p.out<double>("total");
  p.foreach(0, n, [&](auto i) { y[i] += 1.0; });
  p.call("axpy", reads(alpha, x), updates(y), [=](CallContext& c) {
    kernels::axpy(c.stream(), c.count(x), c.ptr(alpha), c.ptr(x), c.ptr(y));
  });
  total = sum(0, n, [&](auto i) { return y[i]; });
  Executable axpy = compile_here(p);
  const std::vector<double> a(1000, 3);
  std::vector<double> b(1000, 10);
  axpy.bind("x", a);
  axpy.bind("y", b);

  const Result result = axpy.run();

  EXPECT_EQ(result.get<double>("total"), 17'000);
  EXPECT_EQ(b, std::vector<double>(1000, 17));
}

TEST_P(UserKernels, StandInEveryKindOfRegion) {
  Program p("regions");
  auto n = p.size("n");
  auto x = p.inout<std::int32_t>("x", {n});
  auto k = p.var("k", 0);
  const auto add = [&](std::int32_t by) {
    p.call("add", updates(x),
           [=](CallContext& c) { kernels::add(c.stream(), c.count(x), by, c.ptr(x)); });
  };
  p.while_(k < 3, [&] {
    p.for_(0, 2, [&](auto j) {
      p.if_(j == 1, [&] { add(1); }).else_([&] { add(10); });
      p.switch_(k).case_(0, [&] { add(100); }).default_([&] { add(1000); });
    });
    k += 1;
  });
  Executable regions = compile_here(p);

  // k = 0, 1, 2 and j = 0, 1: three times 10 + 1, twice 100, four times 1000.
  EXPECT_EQ(run_on_thousand(regions, 0), std::vector<std::int32_t>(1000, 4233));
  EXPECT_EQ(run_on_thousand(regions, 5), std::vector<std::int32_t>(1000, 4238));
}

TEST_P(UserKernels, DecideTheLoopTheyStandIn) {
  Program p("halving");
  auto r = p.inout<double>("r");
  auto trips = p.out("trips", 0);
  p.while_(r > 1, [&] {
    p.call("halve", updates(r), [=](CallContext& c) { kernels::halve(c.stream(), c.ptr(r)); });
    trips += 1;
  });
  Executable halving = compile_here(p);
  halving.set("r", 1000.0);

  const Result result = halving.run();

  EXPECT_EQ(result.get<std::int32_t>("trips"), 10);
  EXPECT_EQ(result.get<double>("r"), 1000.0 / 1024);
}

TEST_P(UserKernels, ForkAndJoinWithinACall) {
  const auto side = std::make_shared<Side>();
  Executable forked = compile_loop_around([&](Program& p, const auto& x) {
    p.call("work", updates(x), [=](CallContext& c) {
      must(cudaEventRecord(side->fork, c.stream()));
      must(cudaStreamWaitEvent(side->stream, side->fork));
      kernels::add(side->stream, 500, 1, c.ptr(x));
      kernels::add(c.stream(), 500, 2, c.ptr(x) + 500);
      must(cudaEventRecord(side->join, side->stream));
      must(cudaStreamWaitEvent(c.stream(), side->join));
      kernels::add(c.stream(), 1000, 10, c.ptr(x));
    });
  });

  const auto x = run_on_thousand(forked, 0);

  EXPECT_EQ(x.front(), 33);
  EXPECT_EQ(x.back(), 36);
}

TEST_P(UserKernels, CooperativeOnesMeet) {
  Program p("cooperative");
  auto n = p.size("n");
  auto x = p.inout<std::int32_t>("x", {n});
  auto total = p.out<std::int64_t>("total");
  p.while_(total < 2000, [&] {
    p.foreach(0, n, [&](auto i) { x[i] += 1; });
    p.call("sum", reads(x), writes(total), [=](CallContext& c) {
      kernels::sum_cooperatively(c.stream(), c.count(x), c.ptr(x),
                                 c.temporary<std::int64_t>(kernels::cooperative_blocks),
                                 c.ptr(total));
      must(cudaGetLastError());
    });
  });
  Executable cooperative = compile_here(p);

  EXPECT_EQ(run_on_thousand(cooperative, 0), std::vector<std::int32_t>(1000, 2));
}

TEST_P(UserKernels, CubReducesInMemoryOfTheContext) {
  Program p("reduced");
  auto n = p.size("n");
  auto x = p.inout<std::int32_t>("x", {n});
  auto total = p.out<std::int64_t>("total");
  p.while_(total < 100'000, [&] {
    p.foreach(0, n, [&](auto i) { x[i] *= 3; });
    p.call("sum", reads(x), writes(total), [=](CallContext& c) {
      const std::size_t bytes = kernels::bytes_of_cub_sum(c.count(x));
      kernels::sum_by_cub(c.stream(), c.temporary<std::byte>(bytes), bytes, c.count(x), c.ptr(x),
                          c.ptr(total));
      must(cudaGetLastError());
    });
  });
  Executable reduced = compile_here(p);

  EXPECT_EQ(run_on_thousand(reduced, 1), std::vector<std::int32_t>(1000, 243));
}

TEST_P(UserKernels, KernelThatACallUsesFirstIsLoadedThere) {
  Executable first = compile_loop_around([](Program& p, const auto& x) {
    p.call("work", updates(x), [=](CallContext& c) {
      kernels::add_from_a_kernel_of_its_own(c.stream(), c.count(x), 4, c.ptr(x));
      must(cudaGetLastError());
    });
  });

  EXPECT_EQ(run_on_thousand(first, 0), std::vector<std::int32_t>(1000, 12));
}

TEST_P(UserKernels, CopiesFromPinnedMemoryReadItInEachTrip) {
  std::int32_t* pinned = nullptr;
  must(cudaMallocHost(&pinned, 1000 * sizeof(std::int32_t)));
  const std::shared_ptr<void> owner(pinned, cudaFreeHost);
  std::fill(pinned, pinned + 1000, 7);
  Executable copied = compile_loop_around([&](Program& p, const auto& x) {
    p.call("work", updates(x), [=](CallContext& c) {
      must(cudaMemcpyAsync(c.ptr(x), owner.get(), 1000 * sizeof(std::int32_t),
                           cudaMemcpyHostToDevice, c.stream()));
      kernels::add(c.stream(), c.count(x), 1, c.ptr(x));
    });
  });

  EXPECT_EQ(run_on_thousand(copied, 0), std::vector<std::int32_t>(1000, 8));
  std::fill(pinned, pinned + 1000, 20);
  EXPECT_EQ(run_on_thousand(copied, 0), std::vector<std::int32_t>(1000, 21));
}

TEST_P(UserKernels, ACallWithNothingToDoDoesNothing) {
  Executable idle = compile_loop_around(
      [](Program& p, const auto& x) { p.call("work", updates(x), [](CallContext&) {}); });

  EXPECT_EQ(run_on_thousand(idle, 3), std::vector<std::int32_t>(1000, 3));
}

TEST_P(UserKernels, GuardOfACallThatNothingGuardsIsOpen) {
  Executable guarded = compile_loop_around([](Program& p, const auto& x) {
    p.call("work", updates(x), [=](CallContext& c) {
       kernels::add_guarded(c.stream(), c.guard(), c.count(x), 1, c.ptr(x));
     }).guarded();
  });

  EXPECT_EQ(run_on_thousand(guarded, 0), std::vector<std::int32_t>(1000, 3));
}

TEST_P(UserKernels, AreFoundByTextsInTheRegistry) {
  ir::Callee add{.name = "add", .accesses = {ir::Access::ReadWrite}, .host = nullptr};
  add.device = [](const ir::DeviceCallContext& c) {
    kernels::add(c.stream, c.arguments[0].element_count(), 5, c.pointer<std::int32_t>(0));
  };
  CompileOptions options;
  options.executor = GetParam();
  Executable added = compile(
      parse_program("p.gyre",
                    "program p(n: size) {\n  inout x: i32[n]\n  for k in 0..3 { call add(x) }\n}\n",
                    {{"add", std::make_shared<const ir::Callee>(add)}}),
      options);

  EXPECT_EQ(run_on_thousand(added, 0), std::vector<std::int32_t>(1000, 15));
}

INSTANTIATE_TEST_SUITE_P(Calls, UserKernels, testing::Values("device_graph", "host_branch"),
                         executor_name);

}  // namespace
}  // namespace gyre
