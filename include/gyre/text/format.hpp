/// Lays out a `.gyre` text, for `gyre fmt`.
#pragma once

#include "gyre/base/diagnostic.hpp"

#include <memory>
#include <optional>
#include <string>

namespace gyre::text {

/// `source` with the printer's indentation and spacing. Every token and comment stays, in order;
/// line breaks within a statement stay, and of several blank lines one. Only `;` goes where a line
/// end takes its place. A text with errors of syntax is not formatted: they go to `diagnostics`.
std::optional<std::string> format(std::shared_ptr<const SourceText> source,
                                  Diagnostics& diagnostics);
std::optional<std::string> format(std::string name, std::string text, Diagnostics& diagnostics);

}  // namespace gyre::text
