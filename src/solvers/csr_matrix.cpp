#include "gyre/solvers/csr_matrix.hpp"

#include "gyre/base/error.hpp"

#include <optional>
#include <string>

namespace gyre::solvers {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError("the matrix: " + why);
}

// Vectors of T, entries stored as S. Where they differ, products are made with rounded entries.
template <class T, class S>
class CsrOperator final : public Operator<T> {
 public:
  explicit CsrOperator(builder::Program& p)
      : Operator<T>(p),
        n_(p.size("n")),
        nnz_(p.size("nnz")),
        row_(p.in<std::int32_t>("row", {n_ + 1})),
        col_(p.in<std::int32_t>("col", {nnz_})),
        val_(p.in<S>("val", {nnz_})) {
    if constexpr (!std::same_as<T, S>) rounded_.emplace(p.temp<T>("rounded", {nnz_}));
  }

  Index rows() const override { return n_; }

  void prepare() const override {
    if (!rounded_) return;
    this->program().foreach(0, nnz_, [&](const Index& k) { (*rounded_)[k] = as<T>(val_[k]); });
  }

  Element<T> sum_row(const Index& i,
                     const typename Operator<T>::template Term<T>& term) const override {
    return sum(entries(i), [&](const auto& k) {
      if constexpr (std::same_as<T, S>) {
        return term(as<std::int64_t>(col_[k]), val_[k]);
      } else {
        return term(as<std::int64_t>(col_[k]), (*rounded_)[k]);
      }
    });
  }

  Real sum_row_wide(const Index& i,
                    const typename Operator<T>::template Term<double>& term) const override {
    return sum(entries(i),
               [&](const auto& k) { return term(as<std::int64_t>(col_[k]), as<double>(val_[k])); });
  }

 private:
  auto entries(const Index& i) const { return builder::range("k", row_[i], row_[i + 1]); }

  builder::Size n_;
  builder::Size nnz_;
  builder::Buffer<std::int32_t> row_;
  builder::Buffer<std::int32_t> col_;
  Vector<S> val_;
  std::optional<Vector<T>> rounded_;
};

template <class S>
class CsrMatrix final : public Matrix {
 public:
  explicit CsrMatrix(const BasicCsrView<S>& view) : view_(view) { verify_csr_view(view); }

  std::int64_t rows() const override { return view_.n; }
  ir::ScalarType type() const override { return ir::type_of<S>; }
  std::string shape() const override {
    return std::to_string(view_.n) + " rows and " + std::to_string(view_.entries()) + " entries";
  }

  std::unique_ptr<Operator<double>> declare_f64(builder::Program& program) const override {
    if constexpr (std::same_as<S, double>) {
      return std::make_unique<CsrOperator<double, double>>(program);
    } else {
      refuse("its entries are f32, and vectors of f64 are asked for");
    }
  }
  std::unique_ptr<Operator<float>> declare_f32(builder::Program& program) const override {
    return std::make_unique<CsrOperator<float, S>>(program);
  }

  void bind(Executable& executable) const override {
    executable.set_size("n", view_.n);
    executable.set_size("nnz", view_.entries());
    executable.bind("row", view_.row);
    executable.bind("col", view_.col);
    executable.bind("val", view_.val);
  }

 private:
  BasicCsrView<S> view_;
};

}  // namespace

template <std::floating_point S>
void verify_csr_view(const BasicCsrView<S>& matrix) {
  if (matrix.n < 0 || static_cast<std::int64_t>(matrix.row.size()) != matrix.n + 1) {
    refuse("n = " + std::to_string(matrix.n) + " rows need n + 1 row starts, and " +
           std::to_string(matrix.row.size()) + " are given");
  }
  if (matrix.val.size() != matrix.col.size()) {
    refuse(std::to_string(matrix.col.size()) + " columns with " +
           std::to_string(matrix.val.size()) + " values");
  }
  if (matrix.row.front() != 0 || matrix.row.back() != matrix.entries()) {
    refuse("the row starts do not go from 0 to its " + std::to_string(matrix.entries()) +
           " entries");
  }
  for (std::size_t i = 1; i < matrix.row.size(); ++i) {
    if (matrix.row[i] < matrix.row[i - 1]) {
      refuse("row " + std::to_string(i - 1) + " (from 0) ends before it begins");
    }
  }
  for (const std::int32_t column : matrix.col) {
    if (column < 0 || column >= matrix.n) {
      refuse("column " + std::to_string(column) + " is outside 0 .. " + std::to_string(matrix.n));
    }
  }
}

template void verify_csr_view(const CsrView& matrix);
template void verify_csr_view(const CsrViewF32& matrix);

std::shared_ptr<const Matrix> csr_matrix(const CsrView& view) {
  return std::make_shared<CsrMatrix<double>>(view);
}

std::shared_ptr<const Matrix> csr_matrix(const CsrViewF32& view) {
  return std::make_shared<CsrMatrix<float>>(view);
}

}  // namespace gyre::solvers
