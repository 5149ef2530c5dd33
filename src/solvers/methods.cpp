#include "gyre/solvers/methods.hpp"

#include "gyre/base/error.hpp"
#include "gyre/solvers/bicgstab.hpp"
#include "gyre/solvers/cg.hpp"
#include "gyre/solvers/chebyshev.hpp"
#include "gyre/solvers/chronopoulos_gear.hpp"
#include "gyre/solvers/gmres.hpp"
#include "gyre/solvers/minres.hpp"
#include "gyre/solvers/richardson.hpp"

#include <array>
#include <string>

namespace gyre::solvers {
namespace {

constexpr std::array table = {
    Method{"cg", "symmetric positive definite matrices", true, make_cg},
    Method{"chronopoulos_gear", "the same, with two sweeps a trip", true, make_chronopoulos_gear},
    Method{"minres", "symmetric matrices, indefinite ones too", true, make_minres},
    Method{"bicgstab", "any matrix, in little memory", false, make_bicgstab},
    Method{"gmres", "any matrix, with a residual that never rises", false, make_gmres},
    Method{"chebyshev", "symmetric positive definite matrices whose spectrum is known", true,
           make_chebyshev},
    Method{"richardson", "matrices near their preconditioner", false, make_richardson},
    Method{"jacobi", "diagonally dominant matrices", false, make_jacobi},
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
