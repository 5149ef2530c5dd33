// docs/passes.md is true: it has every pass, in order, and its examples become what it says.
#include "gyre/passes/pipeline.hpp"
#include "gyre/text/printer.hpp"
#include "gyre/verifier/verify.hpp"
#include "support/programs.hpp"

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::passes {
namespace {

std::filesystem::path passes_page() {
  return support::in_repository("docs/passes.md");
}

std::vector<std::string> headings(const std::string& page) {
  const std::string mark = "## ";
  std::vector<std::string> found;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(mark)) found.push_back(line.substr(mark.size()));
  }
  return found;
}

TEST(PassesPage, HasAHeadingForEachPassInOrder) {
  std::vector<std::string> names;
  for (const PassInfo& pass : pipeline()) names.emplace_back(pass.name);

  const auto documented = headings(support::read_file(passes_page()));

  EXPECT_EQ(documented, names);
}

TEST(PassesPage, ItsExamplesBecomeWhatItSays) {
  const auto passes = pipeline();
  const auto examples = support::gyre_fences(passes_page());
  ASSERT_EQ(examples.size(), 2 * passes.size()) << "one program before and one after each pass";

  for (std::size_t i = 0; i < passes.size(); ++i) {
    const auto before = support::parse_ok(examples[2 * i]);
    Diagnostics diagnostics;
    verifier::verify(before, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << passes[i].name << "\n" << render(diagnostics);

    const auto after = text::print(passes[i].run(before));

    EXPECT_EQ(after, examples[2 * i + 1]) << passes[i].name;
  }
}

}  // namespace
}  // namespace gyre::passes
