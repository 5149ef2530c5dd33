/// What a bench keeps of a run that was ended: rows are measured once, problems whole.
#include "gyre/base/error.hpp"
#include "support/report.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace gyre::bench {
namespace {

namespace fs = std::filesystem;

class ResumedReport : public ::testing::Test {
 protected:
  ResumedReport() { setenv("GYRE_BENCH_RESULTS", folder_.c_str(), 1); }
  ~ResumedReport() override {
    unsetenv("GYRE_BENCH_RESULTS");
    fs::remove_all(folder_);
  }

  Report make(bool resume) const {
    return Report({"tests", "whether it goes on", "microseconds"},
                  {.filter = "", .resume = resume});
  }

  // Adds each row of three problems by two ways that the report wants, and stops behind so many.
  static std::vector<std::string> measure(Report& report, std::size_t most) {
    std::vector<std::string> measured;
    for (const char* problem : {"a", "b", "c"}) {
      for (const char* way : {"x", "y"}) {
        if (!report.wants(problem, way)) continue;
        if (measured.size() == most) return measured;
        report.add(problem, way, {{"us", 1}});
        measured.push_back(std::string(problem) + way);
      }
    }
    report.finish();
    return measured;
  }

  nlohmann::json read() const {
    std::ifstream file(folder_ / "tests.json");
    return nlohmann::json::parse(file);
  }

  fs::path folder_ = fs::temp_directory_path() / ("gyre-resumed-" + std::to_string(getpid()));
};

using Rows = std::vector<std::string>;

TEST_F(ResumedReport, MeasuresWhatIsMissingAndTheLastProblemWhole) {
  Report ended = make(false);
  measure(ended, 3);

  Report resumed = make(true);
  const Rows measured = measure(resumed, 6);

  EXPECT_EQ(measured, (Rows{"bx", "by", "cx", "cy"}));
  const nlohmann::json found = read();
  EXPECT_EQ(found["rows"].size(), 6U);
  EXPECT_EQ(found["finished"], true);
  EXPECT_EQ(found["resumed"].size(), 1U);
}

TEST_F(ResumedReport, HasNothingToDoWhereAllWasMeasured) {
  Report whole = make(false);
  measure(whole, 6);

  Report resumed = make(true);

  EXPECT_EQ(measure(resumed, 6), Rows{});
  EXPECT_EQ(read()["rows"].size(), 6U);
}

TEST_F(ResumedReport, ReplacesARowThatTheBenchDidNotAskFor) {
  Report whole = make(false);
  measure(whole, 6);

  Report resumed = make(true);
  resumed.add("a", "x", {{"us", 2}});
  resumed.leave_out("d", "x", "no memory");
  resumed.finish();
  Report again = make(true);
  again.leave_out("d", "x", "no memory");
  again.finish();

  const nlohmann::json found = read();
  EXPECT_EQ(found["rows"].size(), 6U);
  EXPECT_EQ(found["rows"].back()["us"], 2);
  EXPECT_EQ(found["left_out"].size(), 1U);
  EXPECT_EQ(found["resumed"].size(), 1U);
}

TEST_F(ResumedReport, RefusesWhatIsNoJson) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "tests.json") << "{\"rows\": [";

  EXPECT_THROW(make(true), UsageError);
}

TEST_F(ResumedReport, BeginsWhereNothingWasLeft) {
  Report resumed = make(true);

  EXPECT_EQ(measure(resumed, 6).size(), 6U);
}

TEST_F(ResumedReport, RefusesResultsOfAnotherMachine) {
  Report ended = make(false);
  measure(ended, 3);
  nlohmann::json other = read();
  other["machine"]["cpu"] = "another";
  std::ofstream(folder_ / "tests.json") << other;

  EXPECT_THROW(make(true), UsageError);
}

}  // namespace
}  // namespace gyre::bench
