/// Every rule of the verifier has a test that breaks it.
#include "gyre/verifier/verify.hpp"
#include "support/transcript.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace gyre::verifier {
namespace {

namespace fs = std::filesystem;

const fs::path tests = fs::path(GYRE_SOURCE_DIR) / "tests";

std::string golden_prefix(const Rule& rule) {
  std::string name = "bad_" + std::string(rule.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// The golden files named for `rule`: bad_rule.gyre, bad_rule_in_some_case.gyre.
std::vector<fs::path> goldens_of(const Rule& rule) {
  std::vector<fs::path> found;
  const std::string prefix = golden_prefix(rule);
  for (const auto& entry : fs::directory_iterator(tests / "golden/verifier")) {
    const std::string name = entry.path().stem().string();
    if (name == prefix || name.starts_with(prefix + "_")) found.push_back(entry.path());
  }
  return found;
}

TEST(VerifierRules, EachThatATextCanBreakHasAGoldenFileThatSaysSo) {
  for (const Rule& rule : rules()) {
    if (rule.breaker != Breaker::Anyone) continue;
    const auto files = goldens_of(rule);
    EXPECT_FALSE(files.empty()) << "no tests/golden/verifier/" << golden_prefix(rule) << ".gyre";
    for (const fs::path& file : files) {
      const auto transcript = support::read_golden(file).transcript;
      EXPECT_NE(transcript.find("[" + std::string(rule.name) + "]"), std::string::npos) << file;
    }
  }
}

TEST(VerifierRules, EachThatOnlyABuiltProgramCanBreakHasAUnitTest) {
  std::string sources;
  for (const auto& entry : fs::directory_iterator(tests / "unit/verifier")) {
    std::ifstream in(entry.path());
    sources.append(std::istreambuf_iterator<char>(in), {});
  }

  for (const Rule& rule : rules()) {
    if (rule.breaker == Breaker::Anyone) continue;
    EXPECT_NE(sources.find('"' + std::string(rule.name) + '"'), std::string::npos) << rule.name;
  }
}

TEST(VerifierRules, EachBadFileIsNamedForARule) {
  std::size_t named = 0;
  for (const Rule& rule : rules()) named += goldens_of(rule).size();

  std::size_t bad = 0;
  for (const auto& entry : fs::directory_iterator(tests / "golden/verifier")) {
    if (entry.path().stem().string().starts_with("bad_")) ++bad;
  }
  EXPECT_EQ(named, bad);
}

}  // namespace
}  // namespace gyre::verifier
