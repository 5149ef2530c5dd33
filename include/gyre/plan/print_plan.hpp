/// A plan for the eyes: as text, and as a DOT graph.
#pragma once

#include "gyre/plan/plan.hpp"

#include <string>

namespace gyre::plan {

/// The nodes as an indented tree, each kernel with its prologue, sweep, cells and reductions; then
/// what the host has to decide because of calls that run there (host_decisions.hpp).
std::string print_plan(const Plan& plan);

/// A Graphviz digraph: kernels as boxes, bodies and arms as clusters.
std::string print_plan_dot(const Plan& plan);

}  // namespace gyre::plan
