#include "gyre/solvers/methods.hpp"

#include "gyre/base/error.hpp"
#include "gyre/solvers/bicgstab.hpp"
#include "gyre/solvers/cg.hpp"
#include "gyre/solvers/chebyshev.hpp"
#include "gyre/solvers/chronopoulos_gear.hpp"
#include "gyre/solvers/gauss_seidel.hpp"
#include "gyre/solvers/gmres.hpp"
#include "gyre/solvers/minres.hpp"
#include "gyre/solvers/richardson.hpp"

#include <array>
#include <string>

namespace gyre::solvers {
namespace {

constexpr std::array table = {
    Method{"cg", "symmetric positive definite matrices", true, true, make_cg},
    Method{"chronopoulos_gear", "the same, with two sweeps a trip", true, true,
           make_chronopoulos_gear},
    Method{"minres", "symmetric matrices, indefinite ones too", true, true, make_minres},
    Method{"bicgstab", "any matrix, in little memory", false, true, make_bicgstab},
    Method{"gmres", "any matrix, with a residual that never rises", false, true, make_gmres},
    Method{"chebyshev", "symmetric positive definite matrices whose spectrum is known", true, true,
           make_chebyshev},
    Method{"richardson", "matrices near their preconditioner", false, true, make_richardson},
    Method{"jacobi", "diagonally dominant matrices", false, false, make_jacobi},
    Method{"gauss_seidel", "the same, and symmetric positive definite matrices", false, false,
           make_gauss_seidel},
};

}  // namespace

std::span<const Method> methods() {
  return table;
}

const Method& method_named(std::string_view name) {
  std::string known;
  for (const Method& method : table) {
    if (method.name == name) return method;
    if (!known.empty()) known += ", ";
    known += method.name;
  }
  throw UsageError("there is no method '" + std::string(name) + "'; there is: " + known);
}

}  // namespace gyre::solvers
