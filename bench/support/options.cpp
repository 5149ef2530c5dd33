#include "options.hpp"

#include "gyre/base/error.hpp"

#include <string_view>

namespace gyre::bench {

Options parse_options(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--resume") {
      options.resume = true;
    } else if (word == "--filter" && i + 1 < count) {
      options.filter = words[++i];
    } else {
      throw UsageError("'" + std::string(word) + "' is no option: " + words[0] +
                       " [--filter TEXT] [--quick] [--resume]");
    }
  }
  return options;
}

}  // namespace gyre::bench
