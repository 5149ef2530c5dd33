/// What a message says of a name that nothing has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// `; did you mean 'alpha'?` where one of `known` is near to `name`, else what there is: `; there
/// is alpha, beta`, of many the first eight. Empty where nothing is known.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace gyre
