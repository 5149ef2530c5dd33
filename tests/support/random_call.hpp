/// Calls for random programs: work of the host's that depends on its arguments alone.
#pragma once

#include "gyre/text/parser.hpp"

namespace gyre::support {

/// For each way to access one to three arguments a call that is named by them, as `mix_rwu` is: it
/// reads the first, writes the second and updates the third. What it writes is made of all bits
/// that it reads. The host makes it, also where a GPU runs the program.
const text::CallRegistry& mixing_calls();

}  // namespace gyre::support
