/// A library of primitives whose work on a GPU is work of the host, for a GPU whose memory is the
/// host's; elsewhere its calls have the host form that every library's have.
#pragma once

#include "gyre/ir/primitive_library.hpp"

namespace gyre::support {

/// Called `host`. With these limits nearly every sort and scan of random programs may be a call,
/// and most decide at run time.
ir::PrimitiveLibrary host_library(const ir::LibraryLimits& limits = {
                                      .least_sort = 3, .least_scan = 3, .most_places_a_value = 2});

}  // namespace gyre::support
