/// Reads the program texts that commands are given.
#pragma once

#include "gyre/base/source_loc.hpp"

#include <memory>
#include <string>

namespace gyre::cli {

/// The text of `file`, named as the user named it; `-` is standard input. Throws as io::read_file.
std::shared_ptr<const SourceText> read_source(const std::string& file);

}  // namespace gyre::cli
