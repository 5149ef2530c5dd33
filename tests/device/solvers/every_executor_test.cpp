/// Solvers on every executor of a GPU: the reasons, trips, residuals and bits of the host.
#include "device/executors/device_vector.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/solver.hpp"
#include "unit/solvers/forms.hpp"
#include "unit/solvers/systems.hpp"

#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace gyre::solvers {
namespace {

struct Way {
  std::string executor;
  std::string form;
  std::string precision;
  std::string method;
  Preconditioner preconditioner = Preconditioner::None;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.method << " on " << way.form << " in " << way.precision << " by " << way.executor;
}

SolverOptions options_of(const Way& way, const std::string& executor) {
  return {.method = way.method,
          .preconditioner = way.preconditioner,
          .mixed = way.precision == "mixed",
          .restart = 8,
          .history = 100,
          .compile = {.executor = executor}};
}

template <class X>
struct Ended {
  SolveResult result;
  std::vector<X> x;
};

// One solver for all: what differs between solves is no program.
template <class X>
class Pair {
 public:
  Pair(const Forms<X>& forms, const Way& way)
      : on_gpu_(forms.in(way.form), options_of(way, way.executor)),
        on_cpu_(forms.in(way.form), options_of(way, "cpu")) {}

  Reason expect_same(const Values& b, const SolveOptions& options) {
    const auto gpu = run(on_gpu_, b, options);
    const auto cpu = run(on_cpu_, b, options);

    EXPECT_EQ(gpu.result.reason, cpu.result.reason)
        << name_of(gpu.result.reason) << ", not " << name_of(cpu.result.reason);
    EXPECT_EQ(gpu.result.iterations, cpu.result.iterations);
    EXPECT_EQ(gpu.result.restarts, cpu.result.restarts);
    if (cpu.result.reason == Reason::NanOrInf) return cpu.result.reason;
    EXPECT_EQ(gpu.result.residual, cpu.result.residual);
    EXPECT_EQ(gpu.result.history, cpu.result.history);
    EXPECT_EQ(gpu.x, cpu.x);
    return cpu.result.reason;
  }

 private:
  static Ended<X> run(Solver& solver, const Values& b, const SolveOptions& options) {
    const std::vector<X> rhs(b.begin(), b.end());
    std::vector<X> x(b.size(), 0);
    auto result = solver.solve(std::span<const X>(rhs), std::span<X>(x), options);
    return {std::move(result), std::move(x)};
  }

  Solver on_gpu_;
  Solver on_cpu_;
};

Values saw(std::size_t n) {
  Values b(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = static_cast<double>(i * 31 % 17) - 8;
  return b;
}

class EveryExecutor : public DeviceGraphTest, public testing::WithParamInterface<Way> {
 protected:
  template <class X>
  void expect_the_host() {
    const Forms<X> forms(tridiagonal(37));
    Pair<X> pair(forms, GetParam());
    const double step = GetParam().method == "richardson" ? 0.25 : 1;
    Values bad = saw(37);
    bad[3] = std::numeric_limits<double>::quiet_NaN();

    EXPECT_EQ(pair.expect_same(saw(37), {.rtol = 1e-5, .relaxation = step}), Reason::ConvergedRtol);
    EXPECT_EQ(pair.expect_same(
                  saw(37), {.rtol = 1e-14, .max_trips = 5, .check_every = 7, .relaxation = step}),
              Reason::MaxTrips);
    EXPECT_EQ(pair.expect_same(Values(37, 0.0), {}), Reason::ConvergedRtol);
    EXPECT_EQ(pair.expect_same(bad, {}), Reason::NanOrInf);
    EXPECT_EQ(pair.expect_same(saw(37), {.rtol = 0, .atol = 1e-2, .relaxation = step}),
              Reason::ConvergedAtol);
    EXPECT_EQ(pair.expect_same(saw(37), {.rtol = 1e-18, .relaxation = step}), Reason::Stagnated);
  }
};

TEST_P(EveryExecutor, EndsAsTheHostDoesWithItsBits) {
  if (GetParam().precision == "f32") {
    expect_the_host<float>();
  } else {
    expect_the_host<double>();
  }
}

// Every method on every executor, and every form in every precision on the one that matters.
std::vector<Way> ways() {
  std::vector<Way> all;
  for (const std::string executor : {"device_graph", "host_branch", "persistent"}) {
    for (const Method& method : methods()) {
      all.push_back({executor, "csr", "f64", std::string(method.name)});
    }
    all.push_back({executor, "csr", "f32", "bicgstab"});
    all.push_back({executor, "csr", "mixed", "cg", Preconditioner::Jacobi});
  }
  for (const auto& form : Forms<double>::names()) {
    if (form == "csr") continue;
    for (const auto& precision : precisions()) {
      if (precision == "mixed" && !Forms<double>::has_rows(form)) continue;
      all.push_back({"device_graph", form, precision, "cg"});
    }
    all.push_back({"persistent", form, "f64", "minres"});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Ways, EveryExecutor, testing::ValuesIn(ways()), [](const auto& test) {
  const Way& way = test.param;
  return way.executor + "_" + way.form + "_" + way.precision + "_" + way.method +
         (way.preconditioner == Preconditioner::None ? "" : "_jacobi");
});

using LargerSystems = DeviceGraphTest;

// Folds over many blocks, cycles that end in the middle, and rows sorted in many windows.
TEST_F(LargerSystems, EndAsOnTheHostWithItsBits) {
  const auto matrix = laplacian(100, 2.0);
  const auto sell = make_sell(view(matrix), {.window = 256});
  const Values b = saw(10'000);
  for (const auto* method : {"cg", "minres", "bicgstab", "gmres"}) {
    const auto run = [&](const std::shared_ptr<const Matrix>& one, const std::string& executor) {
      Solver solver(method, one,
                    {.preconditioner = Preconditioner::Jacobi,
                     .restart = 20,
                     .history = 400,
                     .compile = {.executor = executor}});
      Values x(b.size(), 0.0);
      auto result = solver.solve(b, x, {.rtol = 1e-6, .max_trips = 333});
      return Solved{std::move(result), std::move(x)};
    };
    const auto expected = run(csr_matrix(view(matrix)), "cpu");
    for (const auto& one : {csr_matrix(view(matrix)), sell_matrix(sell.view())}) {
      const auto solved = run(one, "device_graph");

      EXPECT_EQ(solved.result.reason, expected.result.reason) << method;
      EXPECT_EQ(solved.result.iterations, expected.result.iterations) << method;
      EXPECT_EQ(solved.result.history, expected.result.history) << method;
      EXPECT_EQ(solved.x, expected.x) << method;
      EXPECT_EQ(solved.result.host_syncs, 0U) << method;
    }
  }
}

}  // namespace
}  // namespace gyre::solvers
