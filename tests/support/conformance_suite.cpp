#include "support/conformance_suite.hpp"

#include "support/parallel_tests.hpp"
#include "support/programs.hpp"

#include <cstdlib>
#include <exception>
#include <optional>

namespace gyre::support {
namespace {

std::string write_anew(const Way& way, const std::filesystem::path& path) {
  try {
    rewrite_results(way, path);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

// A file that cannot be read has a test in each way, which says why.
bool concerns(const Way& way, const std::optional<ConformanceFile>& file) {
  return !file || has_runs_for(way, *file);
}

std::optional<ConformanceFile> try_to_read(const std::filesystem::path& path) {
  try {
    return parse_conformance(read_file(path));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

bool add_conformance_tests(const std::vector<Way>& ways, const Way* writer) {
  const bool writes = std::getenv("GYRE_UPDATE_GOLDEN") != nullptr;
  const auto files = conformance_files();
  for (const auto& [name, path] : files) {
    const auto file = try_to_read(path);
    for (const Way& way : ways) {
      if (!concerns(way, file)) continue;
      add_parallel_test(way.name, name, [way, path = path, writes, writer]() -> std::string {
        if (!writes) return fault_of(way, path);
        return writer != nullptr && writer->name == way.name ? write_anew(way, path) : "";
      });
    }
  }
  return !ways.empty() && !files.empty();
}

}  // namespace gyre::support
