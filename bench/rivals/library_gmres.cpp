#include "rivals/library_solver.hpp"
#include "rivals/library_solvers.hpp"

#include <algorithm>
#include <vector>

namespace gyre::bench::rivals {
namespace {

// What the host has of a cycle: the triangle, column by column, and the rotations that made it.
class LeastSquares {
 public:
  explicit LeastSquares(double norm) : g_{norm} {}

  // Takes a column of the Hessenberg matrix; gives the norm of the residual.
  double add(std::vector<double> h) {
    const std::size_t k = columns_.size();
    for (std::size_t i = 0; i < k; ++i) {
      const double above = h[i];
      h[i] = cosine_[i] * above + sine_[i] * h[i + 1];
      h[i + 1] = cosine_[i] * h[i + 1] - sine_[i] * above;
    }
    const double length = std::hypot(h[k], h[k + 1]);
    cosine_.push_back(h[k] / length);
    sine_.push_back(h[k + 1] / length);
    h[k] = length;
    columns_.push_back(std::move(h));
    g_.push_back(-sine_[k] * g_[k]);
    g_[k] *= cosine_[k];
    return std::abs(g_[k + 1]);
  }

  std::vector<double> solution() const {
    std::vector<double> y(columns_.size());
    for (std::size_t k = y.size(); k-- > 0;) {
      y[k] = g_[k];
      for (std::size_t l = k + 1; l < y.size(); ++l) y[k] -= columns_[l][k] * y[l];
      y[k] /= columns_[k][k];
    }
    return y;
  }

 private:
  std::vector<std::vector<double>> columns_;
  std::vector<double> cosine_, sine_, g_;
};

class Gmres : public LibrarySolver {
 public:
  Gmres(GramSchmidt orthogonalise, int restart) : orthogonalise_(orthogonalise), restart_(restart) {
    const auto count = static_cast<std::size_t>(restart) + 1;
    bench::must(cudaMallocHost(&pinned_, 2 * count * sizeof(double)));
    products_ = DeviceArray<double>(2 * count);
  }
  ~Gmres() override { cudaFreeHost(pinned_); }

  std::string name() const override {
    switch (orthogonalise_) {
      case GramSchmidt::Modified: return "cuBLAS + cuSPARSE, modified Gram-Schmidt";
      case GramSchmidt::ClassicalOnce: return "cuBLAS + cuSPARSE, classical Gram-Schmidt once";
      default: return "cuBLAS + cuSPARSE, classical Gram-Schmidt twice";
    }
  }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    LibrarySolver::prepare(system, limits);
    basis_ = DeviceArray<double>(count_ * (static_cast<std::size_t>(restart_) + 1));
  }

  SolveOutcome solve() override {
    int trips = 0;
    copy(b_, basis(0));
    const double norm_b = norm(basis(0));
    double norm_r = norm_b;
    while (!is_done(norm_r, norm_b, trips)) {
      cycle(norm_r, norm_b, trips);
      multiply(x_, basis(0));
      scale(-1, basis(0));
      axpy(1, b_, basis(0));
      norm_r = norm(basis(0));
    }
    return end(trips);
  }

 private:
  double* basis(int k) const { return basis_.data() + static_cast<std::size_t>(k) * count_; }

  // From the residual in the first vector of the basis, whose norm is given, to the next x.
  void cycle(double norm_r, double norm_b, int& trips) {
    scale(1 / norm_r, basis(0));
    LeastSquares system(norm_r);
    for (int j = 0; j < restart_ && !is_done(norm_r, norm_b, trips); ++j, ++trips) {
      multiply(basis(j), basis(j + 1));
      std::vector<double> h = orthogonalised(j);
      scale(1 / h.back(), basis(j + 1));
      norm_r = system.add(std::move(h));
    }
    const std::vector<double> y = system.solution();
    std::copy(y.begin(), y.end(), pinned_);
    bench::must(cudaMemcpyAsync(products_.data(), pinned_, y.size() * sizeof(double),
                                cudaMemcpyHostToDevice, stream_));
    add_combination(1, static_cast<int>(y.size()), products_.data(), x_);
  }

  // Makes vector j + 1 of the basis orthogonal to those before; the products, and its norm.
  std::vector<double> orthogonalised(int j) {
    std::vector<double> h(static_cast<std::size_t>(j) + 2);
    double* w = basis(j + 1);
    if (orthogonalise_ == GramSchmidt::Modified) {
      for (int k = 0; k <= j; ++k) {
        const double product = dot(basis(k), w);
        axpy(-product, basis(k), w);
        h[static_cast<std::size_t>(k)] = product;
      }
      h.back() = norm(w);
      return h;
    }
    const int passes = orthogonalise_ == GramSchmidt::ClassicalTwice ? 2 : 1;
    for (int pass = 0; pass < passes; ++pass) project_out(j + 1, pass, w);
    // Waits for the products too.
    h.back() = norm(w);
    for (int pass = 0; pass < passes; ++pass) {
      for (int k = 0; k <= j; ++k)
        h[static_cast<std::size_t>(k)] += pinned_[pass * (restart_ + 1) + k];
    }
    return h;
  }

  // w -= V Vᵀw of the first `vectors` vectors.
  void project_out(int vectors, int pass, double* w) const {
    const double one = 1;
    const double zero = 0;
    const auto first = static_cast<std::size_t>(pass) * (static_cast<std::size_t>(restart_) + 1);
    double* products = products_.data() + first;
    must(
        cublasDgemv(blas_, CUBLAS_OP_T, n_, vectors, &one, basis(0), n_, w, 1, &zero, products, 1));
    bench::must(cudaMemcpyAsync(pinned_ + first, products,
                                static_cast<std::size_t>(vectors) * sizeof(double),
                                cudaMemcpyDeviceToHost, stream_));
    add_combination(-1, vectors, products, w);
  }

  // y += a V c of the first `vectors` vectors.
  void add_combination(double a, int vectors, const double* c, double* y) const {
    const double one = 1;
    must(cublasDgemv(blas_, CUBLAS_OP_N, n_, vectors, &a, basis(0), n_, c, 1, &one, y, 1));
  }

  GramSchmidt orthogonalise_;
  int restart_;
  // The basis, a vector a column; products with it, on both sides.
  DeviceArray<double> basis_, products_;
  double* pinned_ = nullptr;
};

}  // namespace

std::unique_ptr<SolveWay> make_library_gmres(GramSchmidt orthogonalise, int restart) {
  return std::make_unique<Gmres>(orthogonalise, restart);
}

}  // namespace gyre::bench::rivals
