/// Which bytes are text. Leaves out what the characters mean.
#pragma once

#include <cstddef>
#include <string_view>

namespace gyre::text {

/// The length in bytes of the UTF-8 character that `bytes` starts with; 0 where it starts with
/// none.
inline std::size_t utf8_length(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const auto first = static_cast<unsigned char>(bytes.front());
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || bytes.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(bytes[i]) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what lies past the last code point.
  const auto second = static_cast<unsigned char>(bytes[1]);
  const bool legal = !(first == 0xe0 && second < 0xa0) && !(first == 0xed && second > 0x9f) &&
                     !(first == 0xf0 && second < 0x90) && !(first == 0xf4 && second > 0x8f);
  return legal ? length : 0;
}

}  // namespace gyre::text
