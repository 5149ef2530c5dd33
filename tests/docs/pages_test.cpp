// No page shows C++ that no test has.
#include "support/programs.hpp"
#include "support/snippets.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::support {
namespace {

// All but kernels.md, which shows what gyre emits (unit/jit/emit_module_test.cpp).
std::vector<std::string> pages() {
  std::vector<std::string> found = {"README.md", "samples/README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(in_repository("docs"))) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".md") && name != "kernels.md") found.push_back("docs/" + name);
  }
  return found;
}

// What each trip of a decoder is stands in the samples, which are tested by themselves.
std::vector<std::string> tests() {
  std::vector<std::string> found = {"samples/forwards/decode_loop.hpp"};
  for (const auto& entry : std::filesystem::directory_iterator(in_repository("tests/docs"))) {
    found.push_back("tests/docs/" + entry.path().filename().string());
  }
  return found;
}

TEST(Pages, EachSnippetStandsInATest) {
  const auto sources = tests();

  for (const std::string& page : pages()) {
    for (const std::string& snippet : snippets_missing(page, sources)) {
      ADD_FAILURE() << page << " shows what no test has:\n" << snippet;
    }
  }
}

TEST(Snippets, AreFoundHoweverTheyAreLaidOut) {
  const std::string source = "#include <a>\nint f() {\n  return g(1,  // one\n           2);\n}\n";

  EXPECT_TRUE(stands_in("#include <a>\nreturn g(1, 2);   // 3\n", source));
  EXPECT_TRUE(stands_in("int f() { … 2); }", source));
  EXPECT_FALSE(stands_in("return g(2, 1);", source));
  EXPECT_FALSE(stands_in("#include <b>\nreturn g(1, 2);", source));
  EXPECT_FALSE(stands_in("2); … return g(", source));
}

}  // namespace
}  // namespace gyre::support
