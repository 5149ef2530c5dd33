/// Iterative solvers as they are written with cuBLAS and cuSPARSE: vectors on the device, and every
/// scalar on the host, which decides after each trip whether there is another.
#pragma once

#include "support/solve_way.hpp"

#include <memory>

namespace gyre::bench::rivals {

/// Conjugate gradients with the inverse of the diagonal.
std::unique_ptr<SolveWay> make_library_jacobi_cg();
std::unique_ptr<SolveWay> make_library_bicgstab();

/// How a vector is made orthogonal to those before it: by a dot product and an axpy for each, or by
/// two products with all of them at once, which once is quick and twice keeps the basis orthogonal.
enum class GramSchmidt { Modified, ClassicalOnce, ClassicalTwice };
/// With cycles of so many trips.
std::unique_ptr<SolveWay> make_library_gmres(GramSchmidt orthogonalise, int restart);

}  // namespace gyre::bench::rivals
