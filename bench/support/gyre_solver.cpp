#include "support/gyre_solver.hpp"

#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace gyre::bench {
namespace {

template <class T>
std::span<T> span_of(const DeviceArray<T>& array) {
  return {array.data(), array.size()};
}

class GyreSolver : public SolveWay {
 public:
  GyreSolver(std::string executor, solvers::SolverOptions options)
      : name_(std::move(executor)), options_(std::move(options)) {
    options_.compile.executor = name_;
  }

  std::string name() const override { return name_; }
  std::string executor() const override {
    return solver_ ? std::string(solver_->executor()) : name_;
  }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    const solvers::CsrView matrix = {system.rows(), span_of(system.row), span_of(system.col),
                                     span_of(system.val)};
    solver_.emplace(csr_matrix(matrix, solvers::Contents::Trust), options_);
    b_ = span_of(system.b);
    x_ = span_of(system.x);
    limits_ = {.rtol = limits.rtol,
               .dtol = std::numeric_limits<double>::infinity(),
               .max_trips = limits.max_trips};
  }

  SolveOutcome solve() override {
    const auto result = solver_->solve(b_, x_, stream_.get(), limits_).result();
    return {static_cast<int>(result.iterations), static_cast<std::int64_t>(result.host_syncs)};
  }

 private:
  std::string name_;
  solvers::SolverOptions options_;
  solvers::SolveOptions limits_;
  BenchStream stream_;
  std::optional<solvers::Solver> solver_;
  std::span<const double> b_;
  std::span<double> x_;
};

}  // namespace

std::unique_ptr<SolveWay> make_gyre_solver(const std::string& executor,
                                           const solvers::SolverOptions& options) {
  return std::make_unique<GyreSolver>(executor, options);
}

}  // namespace gyre::bench
