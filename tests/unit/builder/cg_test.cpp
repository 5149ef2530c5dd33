#include "gyre/gyre.hpp"
#include "gyre/text/printer.hpp"
#include "support/programs.hpp"

#include <gtest/gtest.h>

namespace gyre::builder {
namespace {

// samples/programs/cg.gyre, statement by statement.
ir::Program conjugate_gradients() {
  gyre::Program cg("cg");
  auto n = cg.size("n");
  auto nnz = cg.size("nnz");
  auto row = cg.in<std::int32_t>("row", {n + 1});
  auto col = cg.in<std::int32_t>("col", {nnz});
  auto val = cg.in<double>("val", {nnz});
  auto b = cg.in<double>("b", {n});
  auto x = cg.inout<double>("x", {n});
  auto rtol = cg.in("rtol", 1e-8);
  auto max_trips = cg.in("max_trips", 1000);
  auto rr = cg.out<double>("rr");
  auto trips = cg.out("trips", 0);
  auto r = cg.temp<double>("r", {n});
  auto p = cg.temp<double>("p", {n});
  auto q = cg.temp<double>("q", {n});

  const auto row_times = [&](auto i, const Buffer<double>& v) {
    return sum(range("k", row[i], row[i + 1]), [&](auto k) { return val[k] * v[col[k]]; });
  };
  cg.foreach(0, n, [&](auto i) {
    auto ax = cg.let("ax", row_times(i, x));
    r[i] = b[i] - ax;
    p[i] = r[i];
  });
  rr = sum(0, n, [&](auto i) { return r[i] * r[i]; });
  auto stop2 = cg.let("stop2", rtol * rtol * sum(0, n, [&](auto i) { return b[i] * b[i]; }));
  cg.while_(rr > stop2 && trips < max_trips, [&] {
    cg.foreach(0, n, [&](auto i) { q[i] = row_times(i, p); });
    auto alpha = cg.let("alpha", rr / sum(0, n, [&](auto i) { return p[i] * q[i]; }));
    cg.foreach(0, n, [&](auto i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    });
    auto next = cg.let("next", sum(0, n, [&](auto i) { return r[i] * r[i]; }));
    auto beta = cg.let("beta", next / rr);
    cg.foreach(0, n, [&](auto i) { p[i] = r[i] + beta * p[i]; });
    rr = next;
    trips += 1;
  });
  return cg.finish();
}

TEST(BuilderCg, IsTheProgramOfTheText) {
  const auto text = support::read_file(support::in_repository("samples/programs/cg.gyre"));

  EXPECT_EQ(text::print(conjugate_gradients()), text::print(support::parse_ok(text)));
}

}  // namespace
}  // namespace gyre::builder
