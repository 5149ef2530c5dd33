/// The parameters of an emitted function, in lines.
#pragma once

#include <string>
#include <vector>

namespace gyre::jit {

/// `first, second, …)` in lines of a page's width, behind what `start` begins.
std::string parameter_list(std::string start, const std::vector<std::string>& parameters);

}  // namespace gyre::jit
