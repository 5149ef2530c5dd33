#include "gyre/base/error.hpp"

#include <string_view>

namespace gyre::detail {

void internal_check_failed(const char* condition, const char* file, int line,
                           const std::string& what) {
  std::string_view name = file;
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos) {
    name.remove_prefix(slash + 1);
  }
  throw InternalError("gyre internal error: " + what + " (" + condition + " at " +
                      std::string(name) + ":" + std::to_string(line) +
                      "). This is a fault of gyre, not of your program; please report it.");
}

}  // namespace gyre::detail
