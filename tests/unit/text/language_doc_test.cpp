// Every example of docs/language.md and of the README is a program that the parser and the verifier
// take.
#include "gyre/text/format.hpp"
#include "gyre/verifier/verify.hpp"
#include "support/programs.hpp"

#include <gtest/gtest.h>

namespace gyre::text {
namespace {

std::filesystem::path language_page() {
  return support::in_repository("docs/language.md");
}

CallRegistry calls_of_the_page() {
  using ir::Access;
  const ir::Callee spmv{
      "spmv", {Access::Read, Access::Read, Access::Read, Access::Read, Access::Write}, nullptr};
  return {{"spmv", std::make_shared<const ir::Callee>(spmv)}};
}

void expect_correct(const std::string& example, const CallRegistry& calls) {
  const auto program = support::parse_ok(example, calls);

  Diagnostics diagnostics;
  verifier::verify(program, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << render(diagnostics);
}

TEST(LanguagePage, ItsExamplesAreCorrectPrograms) {
  const auto examples = support::gyre_fences(language_page());
  EXPECT_GE(examples.size(), 14u);

  for (const std::string& example : examples) {
    expect_correct(example, calls_of_the_page());
  }
}

TEST(Readme, ItsExamplesAreCorrectPrograms) {
  const auto examples = support::gyre_fences(support::in_repository("README.md"));
  EXPECT_FALSE(examples.empty());

  for (const std::string& example : examples) {
    expect_correct(example, {});
  }
}

TEST(LanguagePage, NamesEveryKeywordFunctionAndFold) {
  const std::string page = support::read_file(language_page());

  for (const ir::OpInfo& row : ir::all_ops()) {
    EXPECT_NE(page.find(row.spelling), std::string::npos) << row.spelling;
  }
  for (const ir::FoldOp fold : ir::all_folds()) {
    EXPECT_NE(page.find("`" + std::string(name_of(fold)) + "`"), std::string::npos);
  }
}

class VerifiedSample : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(VerifiedSample, IsACorrectProgram) {
  const auto program = support::parse_ok(support::read_file(GetParam()));
  Diagnostics diagnostics;

  verifier::verify(program, diagnostics);

  EXPECT_TRUE(diagnostics.all().empty()) << render(diagnostics);
}

INSTANTIATE_TEST_SUITE_P(Samples, VerifiedSample, testing::ValuesIn(support::sample_programs()),
                         [](const auto& sample) { return sample.param.stem().string(); });

}  // namespace
}  // namespace gyre::text
