#include "gyre/solvers/methods.hpp"

#include "gyre/base/error.hpp"
#include "gyre/solvers/cg.hpp"

#include <array>
#include <string>

namespace gyre::solvers {
namespace {

constexpr std::array table = {
    Method{"cg", "symmetric positive definite matrices", true, make_cg},
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
