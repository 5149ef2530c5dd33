#include "own_memory.hpp"

#include "gyre/base/error.hpp"
#include "gyre/ir/arguments.hpp"

#include <algorithm>
#include <limits>

namespace gyre {

std::size_t bytes_to_own(const std::string& buffer, ir::ScalarType type,
                         const std::vector<std::int64_t>& extents, const std::string& done) {
  const auto is_negative = [](std::int64_t extent) { return extent < 0; };
  if (std::any_of(extents.begin(), extents.end(), is_negative)) {
    throw UsageError("buffer '" + buffer + "' cannot be " + done + " with a negative extent");
  }
  if (std::find(extents.begin(), extents.end(), 0) != extents.end()) return 0;
  const auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  std::size_t bytes = ir::size_of(type);
  for (const std::int64_t extent : extents) {
    if (static_cast<std::size_t>(extent) > most / bytes) {
      throw UsageError("buffer '" + buffer + "' cannot be " + done + ": " +
                       ir::shape_text(type, extents) + " has more than 2^63 bytes");
    }
    bytes *= static_cast<std::size_t>(extent);
  }
  return bytes;
}

}  // namespace gyre
