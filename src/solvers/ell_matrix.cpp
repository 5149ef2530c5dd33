#include "gyre/solvers/ell_matrix.hpp"

#include "stored_matrix.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace gyre::solvers {
namespace {

template <class T, class S>
class EllOperator final : public Operator<T> {
 public:
  explicit EllOperator(builder::Program& p)
      : Operator<T>(p),
        n_(p.size("n")),
        width_(p.size("width")),
        col_(p.in<std::int32_t>("col", {width_, n_})),
        entries_(p, {width_, n_}) {}

  Index rows() const override { return n_; }
  void prepare() const override {
    entries_.prepare(this->program(), builder::range(0, width_) * builder::range(0, n_));
  }

  Element<T> sum_row(const Index& i, const TermOf<T>& term) const override {
    return sum_of(i, [&](const Index& j, const Index& k) { return term(j, entries_(k, i)); });
  }
  Real sum_row_wide(const Index& i, const TermOf<double>& term) const override {
    return sum_of(i, [&](const Index& j, const Index& k) { return term(j, entries_.wide(k, i)); });
  }

 private:
  // What is no entry is a 0 in column 0: so no load waits to be told whether it is wanted.
  template <class Term>
  auto sum_of(const Index& i, const Term& term) const {
    return sum(builder::range("k", 0, width_), [&](const Index& k) {
      const auto column = as<std::int64_t>(col_(k, i));
      return term(max(column, builder::constant<std::int64_t>(0)), k);
    });
  }

  builder::Size n_;
  builder::Size width_;
  builder::Buffer<std::int32_t> col_;
  Entries<T, S> entries_;
};

struct MakeEll {
  template <class T, class S>
  std::unique_ptr<Operator<T>> of(builder::Program& program) const {
    return std::make_unique<EllOperator<T, S>>(program);
  }
};

template <class S>
class EllMatrix final : public StoredMatrix<S, MakeEll> {
 public:
  explicit EllMatrix(const BasicEllView<S>& view) : view_(view) { verify(); }

  std::int64_t rows() const override { return view_.n; }
  std::string shape() const override {
    return std::to_string(view_.n) + " rows of up to " + std::to_string(view_.width) + " entries";
  }
  SparseMatrix entries() const override {
    SparseMatrix made{.rows = view_.n, .columns = view_.n};
    for (std::int64_t i = 0; i < view_.n; ++i) {
      for (std::int64_t k = 0; k < view_.width; ++k) {
        const auto at = static_cast<std::size_t>(k * view_.n + i);
        if (view_.col[at] == -1) continue;
        made.col.push_back(view_.col[at]);
        made.val.push_back(view_.val[at]);
      }
      if (made.col.size() > std::numeric_limits<std::int32_t>::max()) {
        refuse_matrix("it has more entries than an i32 counts");
      }
      made.row.push_back(static_cast<std::int32_t>(made.col.size()));
    }
    return sorted(made);
  }
  void bind(Executable& executable) const override {
    executable.set_size("n", view_.n);
    executable.set_size("width", view_.width);
    executable.bind("col", view_.col, {view_.width, view_.n});
    executable.bind("val", view_.val, {view_.width, view_.n});
  }

 private:
  void verify() const {
    verify_rows(view_.n);
    const auto places = static_cast<std::size_t>(view_.n) * static_cast<std::size_t>(view_.width);
    if (view_.width < 0 || view_.col.size() != places || view_.val.size() != places) {
      refuse_matrix(std::to_string(view_.n) + " rows of " + std::to_string(view_.width) +
                    " entries need as many columns and values, and " +
                    std::to_string(view_.col.size()) + " and " + std::to_string(view_.val.size()) +
                    " are given");
    }
    for (std::size_t at = 0; at < places; ++at) {
      const std::int32_t column = view_.col[at];
      if (column == -1 && view_.val[at] != 0) refuse_matrix("a value without a column is not 0");
      if (column < -1 || column >= view_.n) {
        refuse_matrix("column " + std::to_string(column) + " is outside -1 .. " +
                      std::to_string(view_.n));
      }
    }
  }

  BasicEllView<S> view_;
};

template <class S>
EllArrays<S> ell_of(const BasicCsrView<S>& matrix) {
  verify_csr_view(matrix);
  const auto n = static_cast<std::size_t>(matrix.n);
  std::int32_t width = 0;
  for (std::size_t i = 0; i < n; ++i) width = std::max(width, matrix.row[i + 1] - matrix.row[i]);
  EllArrays<S> ell{.n = matrix.n, .width = width, .col = {}, .val = {}};
  ell.col.assign(n * static_cast<std::size_t>(width), -1);
  ell.val.assign(ell.col.size(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::int32_t k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      const std::size_t place = static_cast<std::size_t>(k - matrix.row[i]) * n + i;
      ell.col[place] = matrix.col[static_cast<std::size_t>(k)];
      ell.val[place] = matrix.val[static_cast<std::size_t>(k)];
    }
  }
  return ell;
}

}  // namespace

EllArrays<double> make_ell(const CsrView& matrix) {
  return ell_of(matrix);
}

EllArrays<float> make_ell(const CsrViewF32& matrix) {
  return ell_of(matrix);
}

std::shared_ptr<const Matrix> ell_matrix(const EllView& view) {
  return std::make_shared<EllMatrix<double>>(view);
}

std::shared_ptr<const Matrix> ell_matrix(const EllViewF32& view) {
  return std::make_shared<EllMatrix<float>>(view);
}

}  // namespace gyre::solvers
