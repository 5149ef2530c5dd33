/// How much memory a buffer takes that gyre has, and not the caller.
#pragma once

#include "gyre/ir/program.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gyre {

/// The bytes of a buffer of these extents. UsageError, saying that it cannot be `done` (`kept`),
/// where one is negative or all together are more than 2^63 bytes.
std::size_t bytes_to_own(const std::string& buffer, ir::ScalarType type,
                         const std::vector<std::int64_t>& extents, const std::string& done);

}  // namespace gyre
