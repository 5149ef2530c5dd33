#include "built.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace gyre::builder {
namespace {

TEST(BuilderCall, HostWorkSeesItsObjectsByTheirHandles) {
  Program p("axpy");
  auto n = p.size("n");
  auto alpha = p.in("alpha", 2.0);
  auto x = p.in<double>("x", {n});
  auto y = p.inout<double>("y", {n});
  auto norm = p.out<double>("norm");
  p.call("axpy", reads(alpha, x), updates(y), writes(norm), [=](CallContext& c) {
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

TEST(BuilderCall, WorkDefinedElsewhereTakesArgumentsInItsOrder) {
  auto callee = std::make_shared<ir::Callee>();
  callee->name = "negate";
  callee->accesses = {ir::Access::Write, ir::Access::Read};
  callee->host = [](ir::HostCallContext& context) {
    static_cast<double*>(context.arguments[0].data)[0] =
        -static_cast<double*>(context.arguments[1].data)[0];
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
  p.call("on_device", writes(y));
  std::vector<double> memory(1);

  EXPECT_THROW(run(p, {.sizes = {}, .scalars = {}, .buffers = {{"y", view(memory)}}}), UsageError);
}

}  // namespace
}  // namespace gyre::builder
