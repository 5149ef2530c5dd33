#include "rivals/cg_rivals.hpp"

#include "rivals/fused_cg.hpp"
#ifdef GYRE_BENCH_HAS_LIBRARIES
#include "rivals/library_cg.hpp"
#endif

namespace gyre::bench::rivals {

SolveWays make_cg_rivals() {
  SolveWays ways;
  ways.push_back(make_straight_line_cg(false));
  ways.push_back(make_straight_line_cg(true));
  ways.push_back(make_while_graph_cg());
  ways.push_back(make_item_loop_cg());
  ways.push_back(make_cooperative_cg());
#ifdef GYRE_BENCH_HAS_LIBRARIES
  ways.push_back(make_library_cg_with_host_scalars());
  ways.push_back(make_library_cg_with_device_scalars());
#endif
  return ways;
}

}  // namespace gyre::bench::rivals
