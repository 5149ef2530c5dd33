#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Makes parallel loops of the device-wide primitives.
///
///     scan(i in 0..n) y = sum x[i]
///
///         =>  foreach l in 0..leaves { leaf[l] = sum(p in 16 * l..min(16 * l + 16, n)) x[p] }
///             foreach g in 0..groups { group[g] = sum(l in g * width..…) leaf[l] }
///             foreach l in 0..leaves {
///               before[l] = sum(g in 0..l / width) group[g] + sum(k in l / width * width..l)
///               leaf[k]
///             }
///             foreach p in 0..n { y[p] = before[p / 16] + sum(q in p / 16 * 16..p + 1) x[q] }
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
