#include "gyre/solvers/batch_matrix.hpp"

#include "given_matrix.hpp"
#include "gyre/solvers/csr_matrix.hpp"
#include "stored_matrix.hpp"

#include <initializer_list>
#include <string>
#include <utility>

namespace gyre::solvers {
namespace {

// Whether arrays of these extents together hold `count` elements.
bool hold(std::initializer_list<std::int64_t> extents, std::int64_t count) {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) {
    if (extent < 0 || __builtin_mul_overflow(product, extent, &product)) return false;
  }
  return product == count;
}

// Entries of `T`, of which each kind of batch says what contributes to row i.
template <class T>
class BatchOperator : public Operator<T> {
 public:
  BatchOperator(builder::Program& p, const OneOfMany& place)
      : Operator<T>(p), n_(p.size("n")), place_(place) {}

  Index rows() const final { return n_; }
  Real sum_row_wide(const Index& i, const TermOf<double>& term) const final {
    return sum_over<double>(i, term);
  }
  Element<T> sum_row(const Index& i, const TermOf<T>& term) const final {
    return sum_over<T>(i, term);
  }

 protected:
  /// The column and the entry of term k of row i, of which `range_of` says what k is.
  struct Entry {
    Index column;
    Element<T> value;
  };
  virtual builder::Ranges<std::int64_t> range_of(const Index& i) const = 0;
  virtual Entry entry(const Index& i, const Index& k) const = 0;

  const builder::Size& n() const { return n_; }
  const OneOfMany& place() const { return place_; }

 private:
  template <class W>
  Element<W> sum_over(const Index& i, const TermOf<W>& term) const {
    return sum(range_of(i), [&](const Index& k) {
      const Entry one = entry(i, k);
      return term(one.column, as<W>(one.value));
    });
  }

  builder::Size n_;
  OneOfMany place_;
};

template <class T>
class DenseBatchOperator final : public BatchOperator<T> {
 public:
  DenseBatchOperator(builder::Program& p, const OneOfMany& place, Layout layout)
      : BatchOperator<T>(p, place),
        layout_(layout),
        val_(p.in<T>("val", {place.count, this->n(), this->n()})) {}

 private:
  builder::Ranges<std::int64_t> range_of(const Index&) const override {
    return builder::range("j", 0, this->n());
  }
  typename BatchOperator<T>::Entry entry(const Index& i, const Index& j) const override {
    const Index& system = this->place().system;
    return {j, layout_ == Layout::Rows ? val_(system, i, j) : val_(system, j, i)};
  }

  Layout layout_;
  builder::Buffer<T> val_;
};

template <class T>
class CsrBatchOperator final : public BatchOperator<T> {
 public:
  CsrBatchOperator(builder::Program& p, const OneOfMany& place)
      : BatchOperator<T>(p, place),
        nnz_(p.size("nnz")),
        row_(p.in<std::int32_t>("row", {this->n() + 1})),
        col_(p.in<std::int32_t>("col", {nnz_})),
        val_(p.in<T>("val", {place.count, nnz_})) {}

 private:
  builder::Ranges<std::int64_t> range_of(const Index& i) const override {
    return builder::range("k", as<std::int64_t>(row_[i]), as<std::int64_t>(row_[i + 1]));
  }
  typename BatchOperator<T>::Entry entry(const Index&, const Index& k) const override {
    return {as<std::int64_t>(col_[k]), val_(this->place().system, k)};
  }

  builder::Size nnz_;
  builder::Buffer<std::int32_t> row_;
  builder::Buffer<std::int32_t> col_;
  builder::Buffer<T> val_;
};

// Matrices of entries of S. `Self::make<S>(program, place)` declares them.
template <class S, class Self>
class StoredBatch : public BatchMatrix {
 public:
  ir::ScalarType type() const final { return ir::type_of<S>; }
  std::unique_ptr<Operator<double>> declare_f64(builder::Program& program,
                                                const OneOfMany& place) const final {
    return declare<double>(program, place);
  }
  std::unique_ptr<Operator<float>> declare_f32(builder::Program& program,
                                               const OneOfMany& place) const final {
    return declare<float>(program, place);
  }

 private:
  template <class T>
  std::unique_ptr<Operator<T>> declare(builder::Program& program, const OneOfMany& place) const {
    if constexpr (std::same_as<T, S>) {
      return static_cast<const Self&>(*this).make(program, place);
    } else {
      refuse_matrix("the entries of a batch are of another type than its vectors");
    }
  }
};

template <class S>
class DenseBatchMatrix final : public StoredBatch<S, DenseBatchMatrix<S>> {
 public:
  explicit DenseBatchMatrix(const BasicDenseBatch<S>& view) : view_(view) {
    if (hold({view.systems, view.n, view.n}, std::ssize(view.val))) return;
    refuse_matrix(std::to_string(view.systems) + " systems of " + shape() +
                  " need as many values, and " + std::to_string(view.val.size()) + " are given");
  }

  std::int64_t systems() const override { return view_.systems; }
  std::int64_t rows() const override { return view_.n; }
  std::string shape() const override {
    return std::to_string(view_.n) + " x " + std::to_string(view_.n) + " entries by " +
           (view_.layout == Layout::Rows ? "rows" : "columns");
  }
  std::unique_ptr<Operator<S>> make(builder::Program& program, const OneOfMany& place) const {
    return std::make_unique<DenseBatchOperator<S>>(program, place, view_.layout);
  }
  void bind(Executable& executable) const override {
    executable.set_size("n", view_.n);
    executable.bind("val", view_.val, {view_.systems, view_.n, view_.n});
  }

 private:
  BasicDenseBatch<S> view_;
};

template <class S>
class CsrBatchMatrix final : public StoredBatch<S, CsrBatchMatrix<S>> {
 public:
  CsrBatchMatrix(const BasicCsrBatch<S>& view, Contents contents) : view_(view) {
    const auto entries = std::ssize(view.col);
    if (!hold({view.systems, entries}, std::ssize(view.val))) {
      refuse_matrix(std::to_string(view.systems) + " systems of " + std::to_string(entries) +
                    " entries, and " + std::to_string(view.val.size()) + " values");
    }
    // The pattern is that of any matrix; the first system's values, or as many as there are, will
    // do.
    const BasicCsrView<S> first{view.n, view.row, view.col, {view.val.data(), view.col.size()}};
    if (contents == Contents::Verify) {
      verify_csr_view(first);
    } else {
      csr_matrix(first, Contents::Trust);
    }
  }

  std::int64_t systems() const override { return view_.systems; }
  std::int64_t rows() const override { return view_.n; }
  std::string shape() const override {
    return std::to_string(view_.n) + " rows and " + std::to_string(view_.col.size()) + " entries";
  }
  std::unique_ptr<Operator<S>> make(builder::Program& program, const OneOfMany& place) const {
    return std::make_unique<CsrBatchOperator<S>>(program, place);
  }
  void bind(Executable& executable) const override {
    executable.set_size("n", view_.n);
    executable.set_size("nnz", std::ssize(view_.col));
    executable.bind("row", view_.row);
    executable.bind("col", view_.col);
    executable.bind("val", view_.val, {view_.systems, std::ssize(view_.col)});
  }

 private:
  BasicCsrBatch<S> view_;
};

class SharedBatch final : public BatchMatrix {
 public:
  SharedBatch(std::shared_ptr<const Matrix> matrix, std::int64_t systems)
      : matrix_(std::move(matrix)), systems_(systems) {
    if (systems < 0) refuse_matrix(std::to_string(systems) + " systems have it");
  }

  std::int64_t systems() const override { return systems_; }
  std::int64_t rows() const override { return matrix_->rows(); }
  ir::ScalarType type() const override { return matrix_->type(); }
  std::string shape() const override { return matrix_->shape() + ", which all systems have"; }
  std::unique_ptr<Operator<double>> declare_f64(builder::Program& program,
                                                const OneOfMany&) const override {
    return matrix_->declare_f64(program);
  }
  std::unique_ptr<Operator<float>> declare_f32(builder::Program& program,
                                               const OneOfMany&) const override {
    return matrix_->declare_f32(program);
  }
  std::shared_ptr<const Matrix> shared() const override { return matrix_; }
  void bind(Executable& executable) const override { matrix_->bind(executable); }

 private:
  std::shared_ptr<const Matrix> matrix_;
  std::int64_t systems_;
};

}  // namespace

std::shared_ptr<const BatchMatrix> dense_batch(const DenseBatch& view) {
  return std::make_shared<DenseBatchMatrix<double>>(view);
}

std::shared_ptr<const BatchMatrix> dense_batch(const DenseBatchF32& view) {
  return std::make_shared<DenseBatchMatrix<float>>(view);
}

std::shared_ptr<const BatchMatrix> csr_batch(const CsrBatch& view, Contents contents) {
  return std::make_shared<CsrBatchMatrix<double>>(view, contents);
}

std::shared_ptr<const BatchMatrix> csr_batch(const CsrBatchF32& view, Contents contents) {
  return std::make_shared<CsrBatchMatrix<float>>(view, contents);
}

std::shared_ptr<const BatchMatrix> shared_batch(std::shared_ptr<const Matrix> matrix,
                                                std::int64_t systems) {
  return std::make_shared<SharedBatch>(given(std::move(matrix)), systems);
}

}  // namespace gyre::solvers
