/// What changes a method's program.
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/solvers/preconditioners.hpp"

#include <cstdint>
#include <memory>

namespace gyre::solvers {

class BatchMatrix;
class Matrix;
struct LevelSchedule;
struct Multigrid;

struct Variant {
  /// How the matrix is declared; null: f64 in compressed rows.
  std::shared_ptr<const Matrix> matrix = nullptr;
  Preconditioner preconditioner = Preconditioner::None;
  /// Whether a matrix of f64 is solved with vectors of f32, whose corrections x sums up in f64.
  bool mixed = false;
  /// Of gmres: the trips of a cycle, from 1 on.
  std::int64_t restart = 30;
  /// Of block_jacobi: the rows of a block, from 1 on.
  std::int64_t block_size = 4;
  /// Of the preconditioner chebyshev: its trips, one less than which make a product; from 1 on.
  std::int64_t degree = 3;
  /// Of the preconditioner amg: the hierarchy that it is made for; null: one of two levels.
  std::shared_ptr<const Multigrid> multigrid = nullptr;
  /// Of gauss_seidel and ssor: the colours that it is made for; null: two of them.
  std::shared_ptr<const LevelSchedule> colours = nullptr;
  /// Whether the program has the buffer `history` and stores to it.
  bool keeps_history = false;
  /// Where the program solves many systems at once: their matrices, in place of `matrix`; and who
  /// runs a system.
  std::shared_ptr<const BatchMatrix> batch = nullptr;
  ir::Team team = ir::Team::Warp;
};

/// Whether the method's own vectors are f32.
bool works_in_f32(const Variant& variant);

}  // namespace gyre::solvers
