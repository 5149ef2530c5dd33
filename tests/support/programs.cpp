#include "support/programs.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace gyre::support {

ir::Program parse_ok(std::string_view text, const text::CallRegistry& calls) {
  Diagnostics diagnostics;
  auto program = text::parse("test.gyre", std::string(text), diagnostics, calls);
  EXPECT_TRUE(program.has_value()) << render(diagnostics);
  if (program) return *std::move(program);
  ir::Program empty;
  empty.body = ir::make_seq({});
  return empty;
}

ir::Program parse_body(std::string_view body) {
  return parse_ok("program p(n: size) {\n" + std::string(body) + "\n}\n");
}

Diagnostics diagnose(std::string_view text, const text::CallRegistry& calls) {
  Diagnostics diagnostics;
  const auto program = text::parse("test.gyre", std::string(text), diagnostics, calls);
  EXPECT_EQ(program.has_value(), !diagnostics.has_errors());
  return diagnostics;
}

Diagnostics diagnose_body(std::string_view body) {
  return diagnose("program p(n: size) {\n" + std::string(body) + "\n}\n");
}

std::string rules_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (!text.empty()) text += ' ';
    text += diagnostic.rule + ":" + std::to_string(diagnostic.loc.line);
  }
  return text;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::filesystem::path in_repository(std::string_view path) {
  const char* moved = std::getenv("GYRE_SOURCE_DIR");
  return std::filesystem::path(moved == nullptr ? GYRE_SOURCE_DIR : moved) / path;
}

std::vector<std::filesystem::path> sample_programs() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(in_repository("samples/programs"))) {
    if (entry.path().extension() == ".gyre") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> gyre_fences(const std::filesystem::path& path) {
  return fences(path, "gyre");
}

std::vector<std::string> fences(const std::filesystem::path& path, const std::string& language) {
  const std::string opening = "```" + language;
  std::vector<std::string> found;
  std::istringstream lines(read_file(path));
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      found.back() += line + "\n";
    } else if (line == opening || line.starts_with(opening + " ")) {
      inside = true;
      found.emplace_back();
    }
  }
  return found;
}

}  // namespace gyre::support
