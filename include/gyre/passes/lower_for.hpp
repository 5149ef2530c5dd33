#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Makes a counted loop a while over the number of its trips.
///
///     for i in a..b step s {         let step = s
///       body                         check_step step
///     }                              let trips = extent(i64(a), i64(b), i64(step))
///                             =>     var trip: i64
///                                    while trip < trips {
///                                      let i = a + i32(trip) * step
///                                      trip = trip + 1
///                                      body
///                                    }
///
/// A literal step needs no check. A loop without a body only counts its trips. Counting trips
/// instead of comparing the index keeps loops that end at the last integer finite. The count rises
/// before the body, so that `continue` cannot skip it: hence before lower_jumps. Loops within a
/// foreach stay, being plain code there.
ir::Program lower_for(ir::Program program);

}  // namespace gyre::passes
