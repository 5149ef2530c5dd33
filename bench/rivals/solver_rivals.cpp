#include "rivals/solver_rivals.hpp"

#ifdef GYRE_BENCH_HAS_LIBRARIES
#include "rivals/library_cg.hpp"
#include "rivals/library_solvers.hpp"
#endif

namespace gyre::bench::rivals {

SolveWays make_solver_rivals(const std::string& name) {
  SolveWays ways;
#ifdef GYRE_BENCH_HAS_LIBRARIES
  if (name == "cg") ways.push_back(make_library_cg_with_host_scalars());
  if (name == "cg with jacobi") ways.push_back(make_library_jacobi_cg());
  if (name == "bicgstab") ways.push_back(make_library_bicgstab());
  if (name == "gmres(30)") {
    using enum GramSchmidt;
    for (const GramSchmidt one : {Modified, ClassicalOnce, ClassicalTwice}) {
      ways.push_back(make_library_gmres(one, 30));
    }
  }
#else
  static_cast<void>(name);
#endif
  return ways;
}

}  // namespace gyre::bench::rivals
