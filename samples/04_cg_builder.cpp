// The same conjugate gradients written in C++, launched beside the host and watched from there.
#include "laplacian.hpp"

#include <gyre/gyre.hpp>

#include <cstdio>
#include <vector>

gyre::ir::Program conjugate_gradients() {
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

  // Pieces that repeat are C++ functions of handles.
  const auto row_times = [&](auto i, const auto& v) {
    return sum(row[i], row[i + 1], [&](auto k) { return val[k] * v[col[k]]; });
  };
  const auto dot = [&](const auto& u, const auto& v) {
    return sum(0, n, [&](auto i) { return u[i] * v[i]; });
  };

  cg.foreach(0, n, [&](auto i) {
    auto ax = cg.let("ax", row_times(i, x));
    r[i] = b[i] - ax;
    p[i] = r[i];
  });
  rr = dot(r, r);
  auto stop2 = cg.let("stop2", rtol * rtol * dot(b, b));
  cg.while_(rr > stop2 && trips < max_trips, [&] {
    cg.foreach(0, n, [&](auto i) { q[i] = row_times(i, p); });
    auto alpha = cg.let("alpha", rr / dot(p, q));
    cg.foreach(0, n, [&](auto i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    });
    auto next = cg.let("next", dot(r, r));
    auto beta = cg.let("beta", next / rr);
    cg.foreach(0, n, [&](auto i) { p[i] = r[i] + beta * p[i]; });
    rr = next;
    trips += 1;
  });
  return cg.finish();
}

int main() {
  Laplacian a(64);
  std::vector<double> b(a.rows(), 1.0);
  std::vector<double> x(a.rows());
  auto cg = gyre::compile(conjugate_gradients());
  cg.bind("row", a.row);
  cg.bind("col", a.col);
  cg.bind("val", a.val);
  cg.bind("b", b);
  cg.bind("x", x);

  auto launch = cg.launch();
  std::printf("under way: %d trips so far\n", static_cast<int>(launch.progress()));
  const auto result = launch.result();

  std::printf("%s after %d trips, true residual %.2e\n", result.describe().c_str(),
              result.get<int>("trips"), a.residual(b, x));
  return a.residual(b, x) < 1e-7 ? 0 : 1;
}
