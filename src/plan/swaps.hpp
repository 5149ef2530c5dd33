/// Loops whose trips end by copying what they have made to where the next trip looks for it.
#pragma once

#include "gyre/plan/plan.hpp"

namespace gyre::plan {

/// The copy among the statements of a loop's body that may as well be its last step: nothing
/// behind it touches either buffer or may end the launch. Null where there is none.
const ir::RegionNode* copy_for_the_end(const ir::Region& body);

/// Takes WhileNode::swap back where the buffers may not change places: the one that is copied from
/// is no temp, is used outside the loop, or is not written whole in each trip before it is read,
/// something that is no kernel touches either, or a trip may fault.
void settle_swaps(Plan& plan);

}  // namespace gyre::plan
