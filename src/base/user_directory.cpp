#include "gyre/base/user_directory.hpp"

#include <cstdlib>
#include <string_view>

namespace gyre {

std::filesystem::path user_directory() {
  const auto environment = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  if (const auto named = environment("GYRE_CACHE_DIR"); !named.empty()) return named;
  if (const auto caches = environment("XDG_CACHE_HOME"); !caches.empty()) {
    return std::filesystem::path(caches) / "gyre";
  }
  const auto home = environment("HOME");
  return home.empty() ? std::filesystem::path() : std::filesystem::path(home) / ".cache" / "gyre";
}

}  // namespace gyre
