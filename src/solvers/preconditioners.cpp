#include "gyre/solvers/preconditioners.hpp"

#include "approximate_inverse.hpp"
#include "gyre/base/error.hpp"

#include <array>
#include <string>

namespace gyre::solvers {
namespace {

// A row of the table, and how to make the inverse for vectors of each type.
struct Row {
  PreconditionerInfo info;
  MadeInverse<double> (*make_f64)(const LinearSystem<double>&, const Variant&);
  MadeInverse<float> (*make_f32)(const LinearSystem<float>&, const Variant&);
};

constexpr std::array rows = {
    Row{{Preconditioner::None, "none", "no preconditioner"}, make_identity, make_identity},
    Row{{Preconditioner::Jacobi, "jacobi", "the diagonal"},
        make_jacobi_inverse,
        make_jacobi_inverse},
    Row{{Preconditioner::BlockJacobi, "block_jacobi", "blocks along the diagonal"},
        make_block_jacobi_inverse,
        make_block_jacobi_inverse},
    Row{{Preconditioner::Spai0, "spai0", "the best diagonal"},
        make_spai_inverse,
        make_spai_inverse},
    Row{{Preconditioner::Chebyshev, "chebyshev", "a polynomial of the matrix"},
        make_chebyshev_inverse,
        make_chebyshev_inverse},
    Row{{Preconditioner::Multigrid, "amg", "algebraic multigrid"},
        make_multigrid_inverse,
        make_multigrid_inverse},
    Row{{Preconditioner::Ilu0, "ilu0", "triangular factors without fill"},
        make_ilu_inverse,
        make_ilu_inverse},
    Row{{Preconditioner::Ic0, "ic0", "the same of a symmetric matrix"},
        make_cholesky_inverse,
        make_cholesky_inverse},
    Row{{Preconditioner::Ssor, "ssor", "Gauss-Seidel there and back"},
        make_ssor_inverse,
        make_ssor_inverse},
};

constexpr auto infos = [] {
  std::array<PreconditionerInfo, rows.size()> all{};
  for (std::size_t i = 0; i < rows.size(); ++i) all[i] = rows[i].info;
  return all;
}();

const Row& row_of(Preconditioner kind) {
  for (const Row& row : rows) {
    if (row.info.kind == kind) return row;
  }
  throw InternalError("a preconditioner without a row");
}

}  // namespace

std::span<const PreconditionerInfo> preconditioners() {
  return infos;
}

std::string_view name_of(Preconditioner preconditioner) {
  return row_of(preconditioner).info.name;
}

Preconditioner preconditioner_named(std::string_view name) {
  std::string known;
  for (const PreconditionerInfo& one : infos) {
    if (one.name == name) return one.kind;
    if (!known.empty()) known += ", ";
    known += one.name;
  }
  throw UsageError("there is no preconditioner '" + std::string(name) + "'; there is: " + known);
}

template <>
MadeInverse<double> make_inverse(const LinearSystem<double>& system, const Variant& variant) {
  return row_of(variant.preconditioner).make_f64(system, variant);
}

template <>
MadeInverse<float> make_inverse(const LinearSystem<float>& system, const Variant& variant) {
  return row_of(variant.preconditioner).make_f32(system, variant);
}

}  // namespace gyre::solvers
