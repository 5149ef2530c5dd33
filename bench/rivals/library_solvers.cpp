#include "rivals/library_solvers.hpp"

#include "rivals/library_solver.hpp"

#include <vector>

namespace gyre::bench::rivals {
namespace {

class JacobiCg : public LibrarySolver {
 public:
  std::string name() const override { return "cuBLAS + cuSPARSE"; }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    LibrarySolver::prepare(system, limits);
    inverse_ = DeviceArray<double>(inverse_diagonal(system));
    for (DeviceArray<double>* one : {&r_, &z_, &p_, &q_}) *one = vector();
  }

  SolveOutcome solve() override {
    copy(b_, r_.data());
    apply_inverse();
    copy(z_.data(), p_.data());
    double rz = dot(r_.data(), z_.data());
    const double norm_b = norm(r_.data());
    double norm_r = norm_b;
    int trips = 0;
    for (; !is_done(norm_r, norm_b, trips); ++trips) {
      multiply(p_.data(), q_.data());
      const double alpha = rz / dot(p_.data(), q_.data());
      axpy(alpha, p_.data(), x_);
      axpy(-alpha, q_.data(), r_.data());
      norm_r = norm(r_.data());
      apply_inverse();
      const double next = dot(r_.data(), z_.data());
      scale(next / rz, p_.data());
      axpy(1, z_.data(), p_.data());
      rz = next;
    }
    return end(trips);
  }

 private:
  static std::vector<double> inverse_diagonal(const DeviceSystem& system) {
    const auto row = system.row.to_host();
    const auto col = system.col.to_host();
    const auto val = system.val.to_host();
    std::vector<double> inverse(row.size() - 1);
    for (std::size_t i = 0; i < inverse.size(); ++i) {
      for (auto k = static_cast<std::size_t>(row[i]); k < static_cast<std::size_t>(row[i + 1]);
           ++k) {
        if (col[k] == static_cast<std::int32_t>(i)) inverse[i] = 1 / val[k];
      }
    }
    return inverse;
  }

  // z = D⁻¹ r
  void apply_inverse() const {
    must(cublasDdgmm(blas_, CUBLAS_SIDE_LEFT, n_, 1, r_.data(), n_, inverse_.data(), 1, z_.data(),
                     n_));
  }

  DeviceArray<double> inverse_, r_, z_, p_, q_;
};

class BiCgStab : public LibrarySolver {
 public:
  std::string name() const override { return "cuBLAS + cuSPARSE"; }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    LibrarySolver::prepare(system, limits);
    for (DeviceArray<double>* one : {&r_, &shadow_, &p_, &v_, &t_}) *one = vector();
  }

  SolveOutcome solve() override {
    copy(b_, r_.data());
    copy(b_, shadow_.data());
    copy(b_, p_.data());
    double rho = dot(shadow_.data(), r_.data());
    const double norm_b = norm(r_.data());
    double norm_r = norm_b;
    int trips = 0;
    for (; !is_done(norm_r, norm_b, trips); ++trips) {
      multiply(p_.data(), v_.data());
      const double alpha = rho / dot(shadow_.data(), v_.data());
      axpy(-alpha, v_.data(), r_.data());
      multiply(r_.data(), t_.data());
      const double omega = dot(t_.data(), r_.data()) / dot(t_.data(), t_.data());
      axpy(alpha, p_.data(), x_);
      axpy(omega, r_.data(), x_);
      axpy(-omega, t_.data(), r_.data());
      norm_r = norm(r_.data());
      const double next = dot(shadow_.data(), r_.data());
      axpy(-omega, v_.data(), p_.data());
      scale(next / rho * alpha / omega, p_.data());
      axpy(1, r_.data(), p_.data());
      rho = next;
    }
    return end(trips);
  }

 private:
  DeviceArray<double> r_, shadow_, p_, v_, t_;
};

}  // namespace

std::unique_ptr<SolveWay> make_library_jacobi_cg() {
  return std::make_unique<JacobiCg>();
}

std::unique_ptr<SolveWay> make_library_bicgstab() {
  return std::make_unique<BiCgStab>();
}

}  // namespace gyre::bench::rivals
