/// Every .gyre file of this folder is one test: its commands say what its transcript says. With
/// GYRE_UPDATE_GOLDEN=1 the transcripts are written anew, to be reviewed as a diff.
#include "support/transcript.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

namespace fs = std::filesystem;

class Golden : public ::testing::Test {
 public:
  explicit Golden(fs::path file) : file_(std::move(file)) {}

  void TestBody() override {
    const auto golden = support::read_golden(file_);
    ASSERT_FALSE(golden.commands.empty()) << file_ << " has no line '#: gyre …'";

    const auto said = support::run_commands(golden, file_, fs::path(GYRE_PROGRAM).parent_path());

    if (std::getenv("GYRE_UPDATE_GOLDEN") != nullptr) {
      if (said != golden.transcript) {
        std::ofstream(file_, std::ios::binary) << golden.program << said;
      }
      return;
    }
    EXPECT_EQ(said, golden.transcript)
        << "where the new text is right: GYRE_UPDATE_GOLDEN=1 ctest -L golden";
  }

 private:
  fs::path file_;
};

// What the emitter makes is shown by builds that have one.
bool belongs_to_build(const fs::path& file) {
#ifdef GYRE_HAS_CUDA
  const char* const other = "without_cuda";
#else
  const char* const other = "with_cuda";
#endif
  return file.parent_path().filename() != other;
}

bool register_golden_files() {
  const fs::path folder = fs::path(GYRE_SOURCE_DIR) / "tests/golden";
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_golden = entry.path().extension() == ".gyre";
    if (is_golden && belongs_to_build(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string name = fs::relative(file, folder).replace_extension().string();
    ::testing::RegisterTest("Golden", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [file]() -> Golden* { return new Golden(file); });
  }
  return !files.empty();
}

const bool registered = register_golden_files();

TEST(GoldenFiles, AreFound) {
  EXPECT_TRUE(registered);
}

}  // namespace
}  // namespace gyre
