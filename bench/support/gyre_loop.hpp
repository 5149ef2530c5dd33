/// gyre's loops of small kernels as ways to compare.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "support/loop_way.hpp"

#include <string>
#include <vector>

namespace gyre::bench {

/// The program of one loop whose body is so many sweeps, which no pass can join.
std::string loop_text(int kernels);
/// The program of `depth` loops, one in the other, each with `width` trips; the innermost holds one
/// sweep.
std::string nested_loops_text(int depth);

/// A way for each of these executors, which run on a GPU.
LoopWays make_gyre_loops(const std::vector<std::string>& executors);

}  // namespace gyre::bench
