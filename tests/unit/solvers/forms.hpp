/// A matrix in every form that solvers take, for tests that hold for all of them.
#pragma once

#include "gyre/io/csr_matrix.hpp"
#include "gyre/solvers/csr_matrix.hpp"
#include "gyre/solvers/dense_matrix.hpp"
#include "gyre/solvers/ell_matrix.hpp"
#include "gyre/solvers/matrix_free.hpp"
#include "gyre/solvers/sell_matrix.hpp"
#include "gyre/solvers/stencil_matrix.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gyre::solvers {

/// Owns the arrays of one square matrix, in S, in all forms: small ones only, since each entry of a
/// band becomes one of the stencil.
template <class S>
class Forms {
 public:
  explicit Forms(io::CsrMatrix matrix)
      : csr_(std::move(matrix)),
        val_(csr_.val.begin(), csr_.val.end()),
        ell_(make_ell(view())),
        sell_(make_sell(view(), {.slice_rows = 4})),
        sorted_sell_(make_sell(view(), {.slice_rows = 8, .window = 20})) {
    const std::int64_t n = csr_.rows;
    dense_.resize(static_cast<std::size_t>(n * n));
    for (std::int64_t o = -(n - 1); o < n; ++o) offsets_.push_back({static_cast<std::int32_t>(o)});
    if (n == 0) offsets_ = {{0}};
    band_.resize(offsets_.size() * static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
      for (auto k = csr_.row[at(i)]; k < csr_.row[at(i + 1)]; ++k) {
        const std::int64_t j = csr_.col[at(k)];
        dense_[at(i * n + j)] += val_[at(k)];
        band_[at((j - i + n - 1) * n + i)] += val_[at(k)];
      }
    }
  }

  /// The names of all forms; those without rows come last.
  static std::vector<std::string> names() {
    return {"csr", "ell", "sell", "sorted_sell", "dense", "stencil", "matrix_free"};
  }
  static bool has_rows(const std::string& name) { return name != "matrix_free"; }
  /// Whether the method works on it: some divide by the diagonal, some look at entries on the host.
  static bool takes(const std::string& name, std::string_view method) {
    if (method == "gauss_seidel") return has_rows(name) && name != "dense";
    return method != "jacobi" || has_rows(name);
  }

  std::shared_ptr<const Matrix> in(const std::string& name) const {
    if (name == "csr") return csr_matrix(view());
    if (name == "ell") return ell_matrix(ell_.view());
    if (name == "sell") return sell_matrix(sell_.view());
    if (name == "sorted_sell") return sell_matrix(sorted_sell_.view());
    if (name == "dense") return dense_matrix(BasicDenseView<S>{csr_.rows, dense_});
    if (name == "stencil") return stencil_matrix(BasicStencilView<S>{{csr_.rows}, offsets_, band_});
    return products();
  }

 private:
  template <class Integer>
  static std::size_t at(Integer index) {
    return static_cast<std::size_t>(index);
  }

  BasicCsrView<S> view() const { return {csr_.rows, csr_.row, csr_.col, val_}; }

  // Products of a user's own, with buffers of other names.
  std::shared_ptr<const Matrix> products() const {
    const auto declare = [](builder::Program& p, const Index& n) -> Product<S> {
      const auto entries = p.size("entries");
      const auto begin = p.in<std::int32_t>("begin", {n + 1});
      const auto at = p.in<std::int32_t>("at", {entries});
      const auto a = p.in<S>("a", {entries});
      return [&p, n, begin, at, a](const Vector<S>& v, const Vector<S>& q) {
        p.foreach(0, n, [&](const Index& i) {
          q[i] = sum(builder::range("k", begin[i], begin[i + 1]),
                     [&](const auto& k) { return a[k] * v[as<std::int64_t>(at[k])]; });
        });
      };
    };
    const auto bind = [this](Executable& executable) {
      executable.set_size("entries", csr_.entries());
      executable.bind("begin", std::span(csr_.row));
      executable.bind("at", std::span(csr_.col));
      executable.bind("a", std::span(val_));
    };
    return matrix_free<S>({.n = csr_.rows, .declare = declare, .bind = bind});
  }

  io::CsrMatrix csr_;
  std::vector<S> val_;
  EllArrays<S> ell_;
  SellArrays<S> sell_;
  SellArrays<S> sorted_sell_;
  std::vector<S> dense_;
  std::vector<std::vector<std::int32_t>> offsets_;
  std::vector<S> band_;
};

/// The precisions that solves are made in.
inline std::vector<std::string> precisions() {
  return {"f64", "f32", "mixed"};
}

}  // namespace gyre::solvers
