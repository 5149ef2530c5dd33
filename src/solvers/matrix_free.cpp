#include "gyre/solvers/matrix_free.hpp"

#include "stored_matrix.hpp"

#include <string>
#include <utility>

namespace gyre::solvers {
namespace {

template <class T>
class FreeOperator final : public Operator<T> {
 public:
  FreeOperator(builder::Program& p, const MatrixFree<T>& description)
      : Operator<T>(p), n_(p.size("n")), product_(description.declare(p, n_)) {}

  Index rows() const override { return n_; }
  void multiply(const Vector<T>& v, const Vector<T>& q) const override { product_(v, q); }

  bool has_rows() const override { return false; }
  Element<T> sum_row(const Index&, const TermOf<T>&) const override { refuse(); }
  Real sum_row_wide(const Index&, const TermOf<double>&) const override { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    refuse_matrix("it is only known by its products, and its rows are asked for");
  }

  builder::Size n_;
  Product<T> product_;
};

template <class T>
class FreeMatrix final : public Matrix {
 public:
  explicit FreeMatrix(MatrixFree<T> description) : description_(std::move(description)) {
    if (!description_.declare) refuse_matrix("it has no product");
    if (description_.n < 0) refuse_matrix("n is negative");
  }

  std::int64_t rows() const override { return description_.n; }
  ir::ScalarType type() const override { return ir::type_of<T>; }
  bool has_rows() const override { return false; }
  std::string shape() const override {
    return std::to_string(description_.n) + " rows known by their products";
  }

  std::unique_ptr<Operator<double>> declare_f64(builder::Program& program) const override {
    return declare<double>(program);
  }
  std::unique_ptr<Operator<float>> declare_f32(builder::Program& program) const override {
    return declare<float>(program);
  }
  void bind(Executable& executable) const override {
    executable.set_size("n", description_.n);
    if (description_.bind) description_.bind(executable);
  }

 private:
  template <class U>
  std::unique_ptr<Operator<U>> declare(builder::Program& program) const {
    if constexpr (std::same_as<U, T>) {
      return std::make_unique<FreeOperator<T>>(program, description_);
    } else {
      refuse_matrix("its products are of another type than the method's vectors");
    }
  }

  MatrixFree<T> description_;
};

}  // namespace

template <class T>
std::shared_ptr<const Matrix> matrix_free(MatrixFree<T> description) {
  return std::make_shared<FreeMatrix<T>>(std::move(description));
}

template std::shared_ptr<const Matrix> matrix_free(MatrixFree<float>);
template std::shared_ptr<const Matrix> matrix_free(MatrixFree<double>);

}  // namespace gyre::solvers
