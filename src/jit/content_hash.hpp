/// A hash that names contents, and notices damage. Not for secrets: whoever can write the cache can
/// forge it.
#pragma once

#include <string>
#include <string_view>

namespace gyre::jit {

/// FNV-1a of 128 bits as 32 hexadecimal digits (http://www.isthe.com/chongo/tech/comp/fnv).
std::string content_hash(std::string_view bytes);

}  // namespace gyre::jit
