/// Words of a line in a test's file, and numbers among them.
#pragma once

#include "gyre/ir/value.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::support {

/// What stands between spaces and commas, where those within brackets of any kind do not count.
std::vector<std::string> split_words(std::string_view text);

/// The value of `type` that `word` spells: `true`, `-7`, `1e-3`, `0x1p-53`, `inf`, `nan`; `least`
/// and `greatest` are the limits of a number's type. A bool may also be the byte that it is stored
/// as. Throws std::runtime_error for anything else.
ir::Value parse_value(std::string_view word, ir::ScalarType type);

/// How often `part` stands in `text`.
std::size_t count_of(std::string_view text, std::string_view part);

}  // namespace gyre::support
