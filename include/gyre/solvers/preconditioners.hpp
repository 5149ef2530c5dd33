/// The table of preconditioners: a new one is a file, a name here and a row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gyre::solvers {

/// M of M⁻¹A x = M⁻¹b.
enum class Preconditioner : std::uint8_t {
  /// M = I.
  None,
  /// M = diag(A).
  Jacobi,
  /// M = A within blocks of rows that follow each other.
  BlockJacobi,
  /// M⁻¹ = the diagonal matrix that makes M⁻¹A nearest to I.
  Spai0,
  /// M⁻¹ = a Chebyshev polynomial of A, scaled by its diagonal.
  Chebyshev,
  /// M⁻¹ = a V-cycle of algebraic multigrid (smoothed_aggregation.hpp), which is set up on the host
  /// when a solver takes its matrix. That must be symmetric, with a positive diagonal.
  Multigrid,
  /// M = L D U, what elimination leaves of A where it stores to A's places alone.
  Ilu0,
  /// M = L D Lᵀ, the same of a symmetric matrix, of which the lower triangle is looked at. Every
  /// pivot must be positive.
  Ic0,
  /// M⁻¹ r = what one trip of successive over-relaxation and one back make of 0, by colours.
  Ssor,
};

/// A row: a preconditioner, its name in options and what it is for, in a few words.
struct PreconditionerInfo {
  Preconditioner kind;
  std::string_view name;
  std::string_view summary;
};

/// Every preconditioner, in the order in which they are listed to users.
std::span<const PreconditionerInfo> preconditioners();

/// `none`, `jacobi`, …
std::string_view name_of(Preconditioner preconditioner);
/// The preconditioner of that name. UsageError for another name, with those there are.
Preconditioner preconditioner_named(std::string_view name);

}  // namespace gyre::solvers
