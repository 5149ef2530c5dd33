/// The matrices of many systems of one size, and what becomes of them in a program.
///
/// Leaves out how many systems pay: any number will do (docs/solvers.md, "Many at once").
#pragma once

#include "gyre/solvers/matrix.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace gyre::solvers {

/// A system among many, within the foreach over all of them.
struct OneOfMany {
  builder::Size count;
  Index system;
};

/// Square matrices of one size, as a solver borrows them from their owner.
class BatchMatrix {
 public:
  BatchMatrix() = default;
  virtual ~BatchMatrix() = default;
  BatchMatrix(const BatchMatrix&) = delete;
  BatchMatrix& operator=(const BatchMatrix&) = delete;

  virtual std::int64_t systems() const = 0;
  /// Of each matrix.
  virtual std::int64_t rows() const = 0;
  /// Of their entries, of b and of x: f32 or f64.
  virtual ir::ScalarType type() const = 0;
  /// Batches that say the same can take each other's place in a solver, with any number of systems.
  virtual std::string shape() const = 0;

  /// Declares all of them, and gives that of one system. UsageError for vectors of another type.
  virtual std::unique_ptr<Operator<double>> declare_f64(builder::Program& program,
                                                        const OneOfMany& place) const = 0;
  virtual std::unique_ptr<Operator<float>> declare_f32(builder::Program& program,
                                                       const OneOfMany& place) const = 0;
  /// The matrix that all systems have; null where each has its own.
  virtual std::shared_ptr<const Matrix> shared() const { return nullptr; }
  /// Binds what was declared, but for the number of systems.
  virtual void bind(Executable& executable) const = 0;
};

/// How a matrix lies in memory.
enum class Layout : std::uint8_t {
  /// Row by row.
  Rows,
  /// Column by column: the threads that share a system read such a one side by side. Symmetric
  /// matrices are both.
  Columns,
};

/// `systems` matrices of `n` x `n` values, one behind the other.
template <std::floating_point S>
struct BasicDenseBatch {
  std::int64_t systems = 0;
  std::int64_t n = 0;
  std::span<const S> val;
  Layout layout = Layout::Rows;
};
using DenseBatch = BasicDenseBatch<double>;
using DenseBatchF32 = BasicDenseBatch<float>;

/// `systems` matrices of `n` rows with entries at the same places: `row` and `col` as those of
/// BasicCsrView, and as many values for each system, one system behind the other.
template <std::floating_point S>
struct BasicCsrBatch {
  std::int64_t systems = 0;
  std::int64_t n = 0;
  std::span<const std::int32_t> row;
  std::span<const std::int32_t> col;
  std::span<const S> val;
};
using CsrBatch = BasicCsrBatch<double>;
using CsrBatchF32 = BasicCsrBatch<float>;

/// The matrices for a solver. The arrays stay the caller's and must outlive it. UsageError where
/// they are none; of trusted ones, whose arrays may lie on the device, only the lengths are looked
/// at.
std::shared_ptr<const BatchMatrix> dense_batch(const DenseBatch& view);
std::shared_ptr<const BatchMatrix> dense_batch(const DenseBatchF32& view);
std::shared_ptr<const BatchMatrix> csr_batch(const CsrBatch& view,
                                             Contents contents = Contents::Verify);
std::shared_ptr<const BatchMatrix> csr_batch(const CsrBatchF32& view,
                                             Contents contents = Contents::Verify);
/// One matrix that all systems have: many right-hand sides.
std::shared_ptr<const BatchMatrix> shared_batch(std::shared_ptr<const Matrix> matrix,
                                                std::int64_t systems);

}  // namespace gyre::solvers
