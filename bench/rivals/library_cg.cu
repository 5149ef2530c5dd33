#include "rivals/library_cg.hpp"
#include "rivals/library_handles.hpp"

#include <string>

namespace gyre::bench::rivals {
namespace {

// r, p, q and the two products of a solve from x = 0, where r = p = b at first.
class LibraryCg : public SolveWay {
 public:
  LibraryCg() {
    must(cublasCreate(&blas_));
    must(cublasSetStream(blas_, stream_));
  }
  ~LibraryCg() override { cublasDestroy(blas_); }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    const auto count = static_cast<std::size_t>(system.rows());
    n_ = static_cast<int>(count);
    limits_ = limits;
    b_ = system.b.data();
    x_ = system.x.data();
    r_ = DeviceArray<double>(count);
    p_ = DeviceArray<double>(count);
    q_ = DeviceArray<double>(count);
    product_ = std::make_unique<Product>(system, p_, q_, stream_);
  }

 protected:
  void put_start() const {
    bench::must(cudaMemcpyAsync(r_.data(), b_, r_.bytes(), cudaMemcpyDeviceToDevice, stream_));
    bench::must(cudaMemcpyAsync(p_.data(), b_, p_.bytes(), cudaMemcpyDeviceToDevice, stream_));
  }
  void dot(const double* x, const double* y, double* result) const {
    must(cublasDdot(blas_, n_, x, 1, y, 1, result));
  }
  // y += a x
  void axpy(const double* a, const double* x, double* y) const {
    must(cublasDaxpy(blas_, n_, a, x, 1, y, 1));
  }
  // p = r + beta p
  void turn(const double* beta, const double* one) const {
    must(cublasDscal(blas_, n_, beta, p_.data(), 1));
    axpy(one, r_.data(), p_.data());
  }

  BenchStream stream_;
  cublasHandle_t blas_ = nullptr;
  int n_ = 0;
  SolveLimits limits_;
  const double* b_ = nullptr;
  double* x_ = nullptr;
  DeviceArray<double> r_, p_, q_;
  std::unique_ptr<Product> product_;
};

class HostScalarsCg : public LibraryCg {
 public:
  std::string name() const override { return "cuBLAS + cuSPARSE, host scalars"; }

  SolveOutcome solve() override {
    const double one = 1;
    SolveOutcome outcome{0, 1};
    double rr = 0;
    put_start();
    dot(r_.data(), r_.data(), &rr);
    // r = b at first.
    const double stop2 = limits_.rtol * limits_.rtol * rr;
    for (; rr > stop2 && outcome.trips < limits_.max_trips; ++outcome.trips) {
      product_->put();
      double pq = 0;
      dot(p_.data(), q_.data(), &pq);
      const double alpha = rr / pq;
      const double back = -alpha;
      axpy(&alpha, p_.data(), x_);
      axpy(&back, q_.data(), r_.data());
      double next = 0;
      dot(r_.data(), r_.data(), &next);
      const double beta = next / rr;
      turn(&beta, &one);
      rr = next;
      outcome.host_syncs += 2;
    }
    stream_.wait();
    return outcome;
  }
};

struct Scalars {
  double rr, next, pq, alpha, back, beta, one;
};

__global__ void divide_step(Scalars* s) {
  s->alpha = s->rr / s->pq;
  s->back = -s->alpha;
}

__global__ void divide_turn(Scalars* s) {
  s->beta = s->next / s->rr;
  s->rr = s->next;
}

class DeviceScalarsCg : public LibraryCg {
 public:
  std::string name() const override { return "cuBLAS + cuSPARSE, device scalars"; }
  bool knows_trips() const override { return true; }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    LibraryCg::prepare(system, limits);
    must(cublasSetPointerMode(blas_, CUBLAS_POINTER_MODE_DEVICE));
    scalars_ = DeviceArray<Scalars>(std::vector<Scalars>{{.one = 1}});
  }

  SolveOutcome solve() override {
    Scalars* s = scalars_.data();
    put_start();
    dot(r_.data(), r_.data(), &s->rr);
    for (int trip = 0; trip < limits_.max_trips; ++trip) {
      product_->put();
      dot(p_.data(), q_.data(), &s->pq);
      divide_step<<<1, 1, 0, stream_>>>(s);
      axpy(&s->alpha, p_.data(), x_);
      axpy(&s->back, q_.data(), r_.data());
      dot(r_.data(), r_.data(), &s->next);
      divide_turn<<<1, 1, 0, stream_>>>(s);
      turn(&s->beta, &s->one);
    }
    stream_.wait();
    return {limits_.max_trips, 0};
  }

 private:
  DeviceArray<Scalars> scalars_;
};

}  // namespace

std::unique_ptr<SolveWay> make_library_cg_with_host_scalars() {
  return std::make_unique<HostScalarsCg>();
}

std::unique_ptr<SolveWay> make_library_cg_with_device_scalars() {
  return std::make_unique<DeviceScalarsCg>();
}

}  // namespace gyre::bench::rivals
