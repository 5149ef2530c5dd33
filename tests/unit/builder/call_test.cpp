#include "built.hpp"
#include "gyre/ir/visitor.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace gyre::builder {
namespace {

/// The one call of a program.
const ir::Call& call_of(const ir::Program& program) {
  const ir::Call* found = nullptr;
  for (const ir::Region& child : ir::children(program.body)) {
    if (const auto* call = ir::as<ir::Call>(child)) found = call;
  }
  if (found == nullptr) throw std::runtime_error("the program has no call at its top level");
  return *found;
}

/// Device memory as far as these tests are concerned.
class Pool final : public ir::CallMemory {
 public:
  void* take(std::size_t bytes) override {
    taken += bytes;
    return this;
  }
  std::size_t taken = 0;
};

TEST(BuilderCall, HostWorkSeesItsObjectsByTheirHandles) {
  Program p("axpy");
  auto n = p.size("n");
  auto alpha = p.in("alpha", 2.0);
  auto x = p.in<double>("x", {n});
  auto y = p.inout<double>("y", {n});
  auto norm = p.out<double>("norm");
  p.call("axpy", reads(alpha, x), updates(y), writes(norm), [=](HostCallContext& c) {
    for (std::size_t i = 0; i < c.span(x).size(); ++i)
      c.span(y)[i] += c.scalar(alpha) * c.span(x)[i];
    c.scalar(norm) = std::accumulate(c.span(y).begin(), c.span(y).end(), 0.0);
  });
  std::vector<double> a = {1, 2};
  std::vector<double> b = {10, 20};

  const auto outcome =
      run(p, {.sizes = {}, .scalars = {}, .buffers = {{"x", view(a)}, {"y", view(b)}}});

  EXPECT_EQ(b, (std::vector<double>{12, 24}));
  EXPECT_EQ(outcome.scalars.at("norm").as<double>(), 36);
}

TEST(BuilderCall, HostWorkHasTemporaries) {
  Program p("reversed");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {n});
  p.call("reverse", updates(x), [=](HostCallContext& c) {
    const auto copy = c.temporary<double>(c.span(x).size());
    std::copy(c.span(x).begin(), c.span(x).end(), copy.rbegin());
    std::copy(copy.begin(), copy.end(), c.span(x).begin());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.data()) % 256, 0u);
  });
  std::vector<double> a = {1, 2, 3};

  run(p, {.sizes = {}, .scalars = {}, .buffers = {{"x", view(a)}}});

  EXPECT_EQ(a, (std::vector<double>{3, 2, 1}));
}

TEST(BuilderCall, DeviceWorkSeesItsStreamObjectsAndMemory) {
  struct Stream;
  Program p("spmv");
  auto n = p.size("n");
  auto x = p.in<double>("x", {n});
  auto y = p.out<float>("y", {n});
  auto rr = p.out<double>("rr");
  const auto* stream = reinterpret_cast<Stream*>(0x100);
  Pool pool;
  const unsigned guard = 1;
  double memory[4] = {};
  int runs = 0;
  p.call("spmv", reads(x), writes(y, rr), [=, &runs, &pool, &guard, &memory](CallContext& c) {
    Stream* here = c.stream();
    EXPECT_EQ(here, stream);
    EXPECT_EQ(c.ptr(x), memory);
    EXPECT_EQ(c.ptr(y), reinterpret_cast<float*>(memory + 2));
    EXPECT_EQ(c.ptr(rr), memory + 3);
    EXPECT_EQ(c.count(x), 2);
    EXPECT_EQ(c.view(y).extents, std::vector<std::int64_t>{2});
    EXPECT_EQ(static_cast<void*>(c.temporary<double>(5)), &pool);
    EXPECT_EQ(c.guard(), &guard);
    ++runs;
  });
  ir::DeviceCallContext context;
  context.stream = const_cast<Stream*>(stream);
  context.arguments = {{ir::ScalarType::F64, {2}, memory},
                       {ir::ScalarType::F32, {2}, memory + 2},
                       {ir::ScalarType::F64, {}, memory + 3}};
  context.guard = &guard;
  context.memory = &pool;

  const auto program = p.finish();
  call_of(program).callee->device(context);

  EXPECT_EQ(runs, 1);
  EXPECT_EQ(pool.taken, 5 * sizeof(double));
}

TEST(BuilderCall, FormsComeInAnyOrderAndNumber) {
  const auto build = [](auto... forms) {
    Program p("forms");
    auto y = p.out<double>("y", {1});
    p.call("work", writes(y), forms...);
    const auto program = p.finish();
    const ir::Callee& callee = *call_of(program).callee;
    return std::pair(static_cast<bool>(callee.device), static_cast<bool>(callee.host));
  };
  const auto device = [](CallContext&) {};
  const auto host = [](HostCallContext&) {};

  EXPECT_EQ(build(), std::pair(false, false));
  EXPECT_EQ(build(device), std::pair(true, false));
  EXPECT_EQ(build(host), std::pair(false, true));
  EXPECT_EQ(build(device, host), std::pair(true, true));
  EXPECT_EQ(build(host, device), std::pair(true, true));
}

TEST(BuilderCall, ArgumentsKeepTheirOrderAndAccesses) {
  Program p("order");
  auto a = p.inout<double>("a", {1});
  auto b = p.in<double>("b", {1});
  auto c = p.out<double>("c", {1});
  auto d = p.in<double>("d", {1});
  p.call("work", updates(a), reads(b), writes(c), reads(d));

  const auto program = p.finish();
  const ir::Call& call = call_of(program);

  using enum ir::Access;
  EXPECT_EQ(call.callee->accesses, (std::vector<ir::Access>{ReadWrite, Read, Write, Read}));
  EXPECT_EQ(call.arguments, (std::vector{a.object().symbol, b.object().symbol, c.object().symbol,
                                         d.object().symbol}));
}

TEST(BuilderCall, GuardsAndPlacesAreSaidBehindIt) {
  Program p("placed");
  auto y = p.out<double>("y", {1});
  p.call("first", writes(y), [](CallContext&) {}).guarded();
  p.call("second", writes(y), [](HostCallContext&) {}).on_host();

  const auto program = p.finish();
  const auto calls = ir::children(program.body);
  const auto& first = *ir::as<ir::Call>(calls[calls.size() - 2])->callee;
  const auto& second = *ir::as<ir::Call>(calls[calls.size() - 1])->callee;

  EXPECT_TRUE(first.guarded);
  EXPECT_EQ(first.placement, ir::Placement::Stream);
  EXPECT_FALSE(second.guarded);
  EXPECT_EQ(second.placement, ir::Placement::Host);
}

TEST(BuilderCall, WorkDefinedElsewhereTakesArgumentsInItsOrder) {
  auto callee = std::make_shared<ir::Callee>();
  callee->name = "negate";
  callee->accesses = {ir::Access::Write, ir::Access::Read};
  callee->host = [](ir::HostCallContext& context) {
    context.pointer<double>(0)[0] = -context.pointer<double>(1)[0];
  };
  Program p("negated");
  auto x = p.in<double>("x", {1});
  auto y = p.out<double>("y", {1});
  p.call(callee, {y.object(), x.object()});
  std::vector<double> a = {3};
  std::vector<double> b = {0};

  run(p, {.sizes = {}, .scalars = {}, .buffers = {{"x", view(a)}, {"y", view(b)}}});

  EXPECT_EQ(b[0], -3);
}

TEST(BuilderCall, ACallWithoutHostWorkIsRefusedByName) {
  Program p("device_only");
  auto y = p.out<double>("y", {1});
  p.call("on_device", writes(y), [](CallContext&) {});
  std::vector<double> memory(1);

  EXPECT_THROW(run(p, {.sizes = {}, .scalars = {}, .buffers = {{"y", view(memory)}}}), UsageError);
}

TEST(BuilderCall, StandsWhereItIsMade) {
  Program p("placed");
  auto y = p.out<double>("y", {1});
  const auto line = CallSite::current().line() + 1;
  p.call("work", writes(y), [](CallContext&) {});

  const auto program = p.finish();

  EXPECT_EQ(ir::children(program.body).back()->loc.line, line);
}

}  // namespace
}  // namespace gyre::builder
