#include "gyre/solvers/dense_matrix.hpp"

#include "stored_matrix.hpp"

#include <string>

namespace gyre::solvers {
namespace {

template <class T, class S>
class DenseOperator final : public Operator<T> {
 public:
  explicit DenseOperator(builder::Program& p)
      : Operator<T>(p), n_(p.size("n")), entries_(p, {n_, n_}) {}

  Index rows() const override { return n_; }
  void prepare() const override {
    entries_.prepare(this->program(), builder::range(0, n_) * builder::range(0, n_));
  }

  Element<T> sum_row(const Index& i, const TermOf<T>& term) const override {
    return sum(builder::range("j", 0, n_), [&](const Index& j) { return term(j, entries_(i, j)); });
  }
  Real sum_row_wide(const Index& i, const TermOf<double>& term) const override {
    return sum(builder::range("j", 0, n_),
               [&](const Index& j) { return term(j, entries_.wide(i, j)); });
  }

 private:
  builder::Size n_;
  Entries<T, S> entries_;
};

struct MakeDense {
  template <class T, class S>
  std::unique_ptr<Operator<T>> of(builder::Program& program) const {
    return std::make_unique<DenseOperator<T, S>>(program);
  }
};

template <class S>
class DenseMatrix final : public StoredMatrix<S, MakeDense> {
 public:
  explicit DenseMatrix(const BasicDenseView<S>& view) : view_(view) {
    verify_rows(view.n);
    if (view.val.size() != static_cast<std::size_t>(view.n * view.n)) {
      refuse_matrix(shape() + " need as many values, and " + std::to_string(view.val.size()) +
                    " are given");
    }
  }

  std::int64_t rows() const override { return view_.n; }
  std::string shape() const override {
    return std::to_string(view_.n) + " x " + std::to_string(view_.n) + " entries";
  }

  void bind(Executable& executable) const override {
    executable.set_size("n", view_.n);
    executable.bind("val", view_.val, {view_.n, view_.n});
  }

 private:
  BasicDenseView<S> view_;
};

}  // namespace

std::shared_ptr<const Matrix> dense_matrix(const DenseView& view) {
  return std::make_shared<DenseMatrix<double>>(view);
}

std::shared_ptr<const Matrix> dense_matrix(const DenseViewF32& view) {
  return std::make_shared<DenseMatrix<float>>(view);
}

}  // namespace gyre::solvers
