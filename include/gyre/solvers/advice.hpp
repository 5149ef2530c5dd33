/// Which method to take where nobody says, and why.
///
/// A rule of thumb over what a matrix shows without solving anything. Leaves out measuring.
#pragma once

#include "gyre/solvers/csr_matrix.hpp"
#include "gyre/solvers/preconditioners.hpp"
#include "gyre/solvers/reason.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gyre::solvers {

/// What a matrix shows.
struct MatrixFacts {
  bool is_symmetric = false;
  /// Rows with a diagonal entry of 0 or none; rows with a negative one.
  std::int64_t rows_without_diagonal = 0;
  std::int64_t negative_diagonals = 0;
  /// Whether all diagonal entries are about the same.
  bool diagonal_is_even = false;
};

MatrixFacts facts_of(const CsrView& matrix, bool is_symmetric);

struct Advice {
  /// A name of methods().
  std::string method;
  Preconditioner preconditioner = Preconditioner::None;
  /// In one sentence for a person.
  std::string why;
};

/// What to try first.
Advice advise(const MatrixFacts& facts);

/// What to go on with from the x of a solve by `advice` that ended with `reason`; nothing where
/// another method would not help.
std::optional<Advice> advise_after(const Advice& advice, Reason reason);

}  // namespace gyre::solvers
