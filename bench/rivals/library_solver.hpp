/// What the solvers that are written with cuBLAS and cuSPARSE have in common.
#pragma once

#include "rivals/library_handles.hpp"
#include "support/solve_way.hpp"

#include <cmath>
#include <memory>
#include <string>

namespace gyre::bench::rivals {

/// The system, and the calls that such a solver makes. Those that give a number wait for it.
class LibrarySolver : public SolveWay {
 public:
  LibrarySolver() {
    must(cublasCreate(&blas_));
    must(cublasSetStream(blas_, stream_));
  }
  ~LibrarySolver() override { cublasDestroy(blas_); }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    count_ = static_cast<std::size_t>(system.rows());
    n_ = static_cast<int>(count_);
    limits_ = limits;
    b_ = system.b.data();
    x_ = system.x.data();
    product_ = std::make_unique<Product>(system, system.b, system.x, stream_);
  }

 protected:
  double dot(const double* x, const double* y) {
    double value = 0;
    must(cublasDdot(blas_, n_, x, 1, y, 1, &value));
    ++waits_;
    return value;
  }
  double norm(const double* x) {
    double value = 0;
    must(cublasDnrm2(blas_, n_, x, 1, &value));
    ++waits_;
    return value;
  }
  /// y += a x
  void axpy(double a, const double* x, double* y) const {
    must(cublasDaxpy(blas_, n_, &a, x, 1, y, 1));
  }
  void scale(double a, double* x) const { must(cublasDscal(blas_, n_, &a, x, 1)); }
  void copy(const double* from, double* to) const { must(cublasDcopy(blas_, n_, from, 1, to, 1)); }
  /// y = A x
  void multiply(const double* x, double* y) const { product_->put(x, y); }
  /// ‖r‖ <= rtol ‖b‖, or all trips are made.
  bool is_done(double norm_r, double norm_b, int trips) const {
    return norm_r <= limits_.rtol * norm_b || trips >= limits_.max_trips;
  }
  DeviceArray<double> vector() const { return DeviceArray<double>(count_); }
  SolveOutcome end(int trips) {
    stream_.wait();
    ++waits_;
    return {trips, std::exchange(waits_, 0)};
  }

  BenchStream stream_;
  cublasHandle_t blas_ = nullptr;
  std::size_t count_ = 0;
  int n_ = 0;
  SolveLimits limits_;
  const double* b_ = nullptr;
  double* x_ = nullptr;
  std::int64_t waits_ = 0;

 private:
  std::unique_ptr<Product> product_;
};

}  // namespace gyre::bench::rivals
