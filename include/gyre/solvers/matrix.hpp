/// The matrix that a solver is made for: its memory, and what becomes of it in a program.
///
/// Each way of storing one has a file of its own: csr_matrix.hpp, …
#pragma once

#include "gyre/ir/scalar_type.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/operator.hpp"
#include "gyre/solvers/sparse_matrix.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace gyre::solvers {

/// Whether arrays are read, on the host, to see that they are a matrix.
enum class Contents : std::uint8_t { Verify, Trust };

/// A square matrix, as a solver borrows it from its owner.
class Matrix {
 public:
  Matrix() = default;
  virtual ~Matrix() = default;
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  virtual std::int64_t rows() const = 0;
  /// Of its entries, of b and of x: f32 or f64.
  virtual ir::ScalarType type() const = 0;
  /// `3 rows and 7 entries in csr`: two matrices that say the same can take each other's place in a
  /// solver.
  virtual std::string shape() const = 0;

  /// Declares it in a program whose vectors are f64 or f32. UsageError where it cannot be: f64
  /// vectors with entries of f32.
  virtual std::unique_ptr<Operator<double>> declare_f64(builder::Program& program) const = 0;
  virtual std::unique_ptr<Operator<float>> declare_f32(builder::Program& program) const = 0;
  /// Whether a method may ask for its rows, and not only for products with it.
  virtual bool has_rows() const { return true; }
  /// Its entries, for what is set up on the host; UsageError where they are not known there.
  virtual SparseMatrix entries() const;
  /// Binds what was declared.
  virtual void bind(Executable& executable) const = 0;
};

}  // namespace gyre::solvers
