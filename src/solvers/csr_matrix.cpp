#include "gyre/solvers/csr_matrix.hpp"

#include "stored_matrix.hpp"

#include <limits>
#include <string>

namespace gyre::solvers {
namespace {

template <class S>
void verify_lengths(const BasicCsrView<S>& matrix) {
  verify_rows(matrix.n);
  if (static_cast<std::int64_t>(matrix.row.size()) != matrix.n + 1) {
    refuse_matrix("n = " + std::to_string(matrix.n) + " rows need n + 1 row starts, and " +
                  std::to_string(matrix.row.size()) + " are given");
  }
  if (matrix.val.size() != matrix.col.size()) {
    refuse_matrix(std::to_string(matrix.col.size()) + " columns with " +
                  std::to_string(matrix.val.size()) + " values");
  }
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (matrix.entries() > most) {
    refuse_matrix(std::to_string(matrix.entries()) +
                  " entries; rows are counted by an i32, up to " + std::to_string(most));
  }
}

template <class T, class S>
class CsrOperator final : public Operator<T> {
 public:
  explicit CsrOperator(builder::Program& p)
      : Operator<T>(p),
        n_(p.size("n")),
        nnz_(p.size("nnz")),
        row_(p.in<std::int32_t>("row", {n_ + 1})),
        col_(p.in<std::int32_t>("col", {nnz_})),
        entries_(p, {nnz_}) {}

  Index rows() const override { return n_; }
  void prepare() const override { entries_.prepare(this->program(), builder::range(0, nnz_)); }

  Element<T> sum_row(const Index& i, const TermOf<T>& term) const override {
    return sum(row(i), [&](const auto& k) { return term(column(k), entries_(k)); });
  }
  Real sum_row_wide(const Index& i, const TermOf<double>& term) const override {
    return sum(row(i), [&](const auto& k) { return term(column(k), entries_.wide(k)); });
  }

 private:
  auto row(const Index& i) const { return builder::range("k", row_[i], row_[i + 1]); }
  template <class K>
  Index column(const K& k) const {
    return as<std::int64_t>(col_[k]);
  }

  builder::Size n_;
  builder::Size nnz_;
  builder::Buffer<std::int32_t> row_;
  builder::Buffer<std::int32_t> col_;
  Entries<T, S> entries_;
};

struct MakeCsr {
  template <class T, class S>
  std::unique_ptr<Operator<T>> of(builder::Program& program) const {
    return std::make_unique<CsrOperator<T, S>>(program);
  }
};

template <class S>
class CsrMatrix final : public StoredMatrix<S, MakeCsr> {
 public:
  CsrMatrix(const BasicCsrView<S>& view, Contents contents) : view_(view), contents_(contents) {
    verify_lengths(view);
    if (contents == Contents::Verify) verify_csr_view(view);
  }

  std::int64_t rows() const override { return view_.n; }
  std::string shape() const override {
    return std::to_string(view_.n) + " rows and " + std::to_string(view_.entries()) + " entries";
  }
  SparseMatrix entries() const override {
    // They may lie on the device.
    if (contents_ == Contents::Trust) return Matrix::entries();
    SparseMatrix made{.rows = view_.n, .columns = view_.n};
    made.row.assign(view_.row.begin(), view_.row.end());
    made.col.assign(view_.col.begin(), view_.col.end());
    made.val.assign(view_.val.begin(), view_.val.end());
    return sorted(made);
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
  Contents contents_;
};

}  // namespace

template <std::floating_point S>
void verify_csr_view(const BasicCsrView<S>& matrix) {
  verify_lengths(matrix);
  if (matrix.row.front() != 0 || matrix.row.back() != matrix.entries()) {
    refuse_matrix("the row starts do not go from 0 to its " + std::to_string(matrix.entries()) +
                  " entries");
  }
  for (std::size_t i = 1; i < matrix.row.size(); ++i) {
    if (matrix.row[i] < matrix.row[i - 1]) {
      refuse_matrix("row " + std::to_string(i - 1) + " (from 0) ends before it begins");
    }
  }
  for (const std::int32_t column : matrix.col) {
    if (column < 0 || column >= matrix.n) {
      refuse_matrix("column " + std::to_string(column) + " is outside 0 .. " +
                    std::to_string(matrix.n));
    }
  }
}

template void verify_csr_view(const CsrView& matrix);
template void verify_csr_view(const CsrViewF32& matrix);

std::shared_ptr<const Matrix> csr_matrix(const CsrView& view, Contents contents) {
  return std::make_shared<CsrMatrix<double>>(view, contents);
}

std::shared_ptr<const Matrix> csr_matrix(const CsrViewF32& view, Contents contents) {
  return std::make_shared<CsrMatrix<float>>(view, contents);
}

}  // namespace gyre::solvers
