#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Makes parallel loops of the device-wide primitives.
///
///     scan(i in 0..n) y = sum x[i]
///
///         =>  foreach l in 0..leaves { leaf[l] = sum(p in 16 * l..min(16 * l + 16, n)) x[p] }
///             foreach l in 0..leaves { in_group[l] = sum(k in l / 64 * 64..l + 1) leaf[k] }
///             foreach g in 0..groups {
///               in_block[g] = sum(h in g / width * width..g + 1) in_group[last leaf of h]
///             }
///             foreach g in 0..groups + 1 {
///               before_group[g] = sum(b in 0..g / width) in_block[last group of b] +
///                                 (in_block[g - 1] where g is not the first of its block, else 0)
///             }
///             foreach p in 0..n {
///               let l = p / 16
///               y[p] = before_group[l / 64] +
///                      (in_group[l - 1] where l is not the first of its group, else 0) +
///                      sum(q in 16 * l..p + 1) x[q]
///             }
///
/// * compact counts what each leaf keeps, does the same with the counts, and then lets each leaf
///   store what it keeps from its own place on; reduce_by_key so finds where runs start, and folds
///   each by itself.
/// * sort ranks the values within tiles of 256 by counting, and merges the runs of 8 or 16
///   neighbours at a time, each value finding its place by a search in the other runs. topk does
///   the same and drops what falls behind the places that its output has.
/// * histogram counts into up to 64 copies, so that few indices meet, and adds them up.
///
/// Every executor runs them so, with the same bits, and they fuse with their neighbours. Behind
/// split_declarations and ahead of everything else, so that what stands here may be any statement.
ir::Program lower_primitives(ir::Program program);

}  // namespace gyre::passes
