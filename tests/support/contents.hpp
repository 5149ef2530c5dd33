/// Contents of buffers as a few words: lists, and patterns that need no list.
///
///     [1 2 3 | 4 5 6]        the elements, row-major; a bar may stand where a row ends
///     all(2.5)               one value everywhere
///     cycle(1, 2, 3)         1 2 3 1 2 3 1 …
///     iota  iota(5, -2)      0 1 2 …; 5 3 1 …
///     random(7)              the same numbers on every machine: integers in -100..100, floats of
///                            either sign whose magnitudes are 2^-4 to 2^4, with all their digits
///     iota{3: nan, 5: -1}    any of these, with other values at some elements
#pragma once

#include "support/owned_arguments.hpp"

#include <string_view>

namespace gyre::support {

/// Fills `buffer`, whose type and extents are set, as `words` say. Throws std::runtime_error where
/// they say nothing, or a list has another length than the buffer.
void fill_contents(OwnedBuffer& buffer, std::string_view words);

}  // namespace gyre::support
