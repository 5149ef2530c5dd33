/// How many kernels a trip of each method is: what docs/solvers.md says.
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/walk.hpp"
#include "gyre/solvers/cg.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/verifier/verify.hpp"

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

// The kernels of the innermost loop, whose trips are the method's.
std::size_t kernels_of_a_trip(const ir::Program& program) {
  const auto plan = plan::make_plan(passes::run_passes(program), plan::all_steps);
  std::size_t kernels = 0;
  plan::for_each_node(plan.body, [&](const plan::Node& node) {
    const auto* loop = std::get_if<plan::WhileNode>(&node);
    if (loop == nullptr) return;
    const auto& nodes = loop->body->nodes;
    const bool is_innermost = std::none_of(nodes.begin(), nodes.end(), plan::is_branch);
    if (is_innermost) kernels = nodes.size();
  });
  return kernels;
}

TEST(SolversPlan, ATripHasThisManyKernels) {
  const std::map<std::string, std::size_t> expected = {
      {"cg", 3},        {"chronopoulos_gear", 2}, {"minres", 3}, {"bicgstab", 5},    {"gmres", 4},
      {"chebyshev", 2}, {"richardson", 2},        {"jacobi", 2}, {"gauss_seidel", 3}};
  for (const Method& method : methods()) {
    ASSERT_TRUE(expected.contains(std::string(method.name))) << method.name;
    for (const auto preconditioner : {Preconditioner::None, Preconditioner::Jacobi}) {
      if (!method.takes_preconditioner && preconditioner != Preconditioner::None) continue;
      for (const bool mixed : {false, true}) {
        const auto program =
            method.make_program({.preconditioner = preconditioner, .mixed = mixed});

        EXPECT_EQ(kernels_of_a_trip(program), expected.at(std::string(method.name)))
            << method.name << " with " << name_of(preconditioner);
      }
    }
  }
}

// What is not made element by element takes kernels of its own: M⁻¹r, of which the first sweep may
// share one with the method.
TEST(SolversPlan, StoredPreconditionersAddThisManyKernels) {
  const auto kernels = [](const char* method, Preconditioner preconditioner) {
    return kernels_of_a_trip(method_named(method).make_program({.preconditioner = preconditioner}));
  };

  EXPECT_EQ(kernels("cg", Preconditioner::Spai0), 3U);
  EXPECT_EQ(kernels("cg", Preconditioner::BlockJacobi), 4U);
  EXPECT_EQ(kernels("cg", Preconditioner::Chebyshev), 5U);
  EXPECT_EQ(kernels("bicgstab", Preconditioner::BlockJacobi), 7U);
  EXPECT_EQ(kernels("bicgstab", Preconditioner::Chebyshev), 9U);
  EXPECT_EQ(kernels("cg", Preconditioner::Ssor), 7U);
}

// Pairs of levels are the trips of the innermost loops.
TEST(SolversPlan, ALevelOfATriangleIsOneKernel) {
  for (const auto preconditioner : {Preconditioner::Ilu0, Preconditioner::Ic0}) {
    EXPECT_EQ(kernels_of_a_trip(make_cg({.preconditioner = preconditioner})), 2U);
  }
}

TEST(SolversPlan, ProgramsHaveNoDiagnostics) {
  for (const Method& method : methods()) {
    for (const PreconditionerInfo& preconditioner : preconditioners()) {
      if (!method.takes_preconditioner && preconditioner.kind != Preconditioner::None) continue;
      Diagnostics found;
      verifier::verify(
          method.make_program({.preconditioner = preconditioner.kind, .keeps_history = true}),
          found);

      EXPECT_EQ(render(found), "") << method.name << " with " << preconditioner.name;
    }
  }
}

}  // namespace
}  // namespace gyre::solvers
