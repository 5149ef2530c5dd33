#include "gyre/base/diagnostic.hpp"

#include <gtest/gtest.h>

namespace gyre {
namespace {

SourceLoc at(const char* text, std::uint32_t line, std::uint32_t column, std::uint32_t length) {
  return {std::make_shared<const SourceText>(SourceText{"p.gyre", text}), line, column, length};
}

TEST(Diagnostic, ShowsTheLineAndACaretUnderTheSpan) {
  Diagnostics diagnostics;

  diagnostics.error("unknown-name", at("let a = 1\nlet b = foo + 1\n", 2, 9, 3), "no 'foo' here",
                    "declare it");

  EXPECT_EQ(render(diagnostics),
            "p.gyre:2:9: error: no 'foo' here [unknown-name]\n"
            "  2 | let b = foo + 1\n"
            "    |         ^~~\n"
            "  hint: declare it\n");
}

TEST(Diagnostic, KeepsAHundredAndCountsTheRest) {
  Diagnostics diagnostics;

  for (int i = 0; i < 150; ++i) diagnostics.error("r", {}, "m");

  EXPECT_EQ(diagnostics.all().size(), Diagnostics::max_kept);
  EXPECT_EQ(diagnostics.error_count(), 150u);
  EXPECT_NE(render(diagnostics).find("and 50 more errors"), std::string::npos);
}

TEST(Diagnostic, ALongLineIsShownAsAWindow) {
  const std::string text(100000, 'x');

  const auto shown = render({Severity::Error, "r", "m", at(text.c_str(), 1, 50000, 1), {}, {}});

  EXPECT_LT(shown.size(), 400u);
  EXPECT_NE(shown.find('^'), std::string::npos);
}

TEST(NearestName, FindsASlipAndRefusesAStranger) {
  const std::vector<std::string> names = {"alpha", "beta", "trips"};

  EXPECT_EQ(nearest_name("aplha", names), "alpha");
  EXPECT_EQ(nearest_name("trip", names), "trips");
  EXPECT_EQ(nearest_name("velocity", names), "");
  EXPECT_EQ(nearest_name("z", {"x", "y"}), "");
}

}  // namespace
}  // namespace gyre
