#include "gyre/plan/find_cost_table.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "gyre/base/user_directory.hpp"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

namespace gyre::plan {
namespace {

std::optional<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return file.bad() ? std::nullopt : std::optional(std::move(text));
}

CostTable read_named(const std::string& path) {
  const auto text = read_text(path);
  if (!text) throw UsageError("GYRE_COSTS names " + path + ", which cannot be read");
  return parse_cost_table(*text, path);
}

std::optional<CostTable> read_measured(const std::filesystem::path& path) {
  const auto text = path.empty() ? std::nullopt : read_text(path);
  if (!text) return std::nullopt;
  try {
    return parse_cost_table(*text, path.string());
  } catch (const UsageError& error) {
    log::warn(error.what());
    return std::nullopt;
  }
}

}  // namespace

std::filesystem::path measured_costs_file(const std::string& device) {
  const std::filesystem::path directory = user_directory();
  if (directory.empty() || device.empty()) return {};
  std::string name = device;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return directory / "costs" / (name + ".json");
}

FoundCosts find_cost_table(const std::string& device) {
  if (const char* named = std::getenv("GYRE_COSTS"); named != nullptr && *named != '\0') {
    return {.table = read_named(named), .origin = std::string(named) + ", which GYRE_COSTS names"};
  }
  const auto file = measured_costs_file(device);
  if (auto measured = read_measured(file)) {
    return {.table = std::move(*measured), .origin = "measured here, in " + file.string()};
  }
  const CostTable& shipped = shipped_cost_table();
  return {.table = shipped, .origin = "shipped, of " + shipped.device};
}

}  // namespace gyre::plan
