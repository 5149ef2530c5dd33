#include "command_test_fixture.hpp"
#include "gyre/io/array_file.hpp"
#include "gyre/io/file.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gyre::cli {
namespace {

constexpr auto scale =
    "program scale(n: size, m: size) {\n"
    "  in a: f64[n, m], by: f64 = 2.0\n"
    "  inout x: i32[n + 1]\n"
    "  out y: f64[n, m]\n"
    "  foreach i in 0..n, j in 0..m { y[i, j] = a[i, j] * by }\n"
    "  foreach i in 0..n + 1 { x[i] += 1 }\n"
    "}\n";

class Run : public CommandTest {
 protected:
  Run() { write("scale.gyre", scale); }

  Ran run(const std::string& arguments) const { return gyre("run --executor cpu " + arguments); }
};

TEST_F(Run, ReadsAndWritesFilesOfEachKind) {
  write("a.txt", "1 2 3\n4 5 6\n");
  write("x.txt", "10 20 30");

  const auto first =
      run("scale.gyre --in a=a.txt --in x=x.txt --set m=3 --out y=y.npy --out x=x.npy");
  const auto second =
      run("scale.gyre --in a=y.npy --in x=x.npy --set by=0.5 --out y=y.mtx --out x=x2.txt");

  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(second.exit, 0) << second.err;
  EXPECT_EQ(io::read_array(path("y.npy"), ir::ScalarType::F64).extents,
            (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(io::read_file(path("x2.txt")), "12\n22\n32\n");
  EXPECT_EQ(io::print_array_text(io::read_array(path("y.mtx"), ir::ScalarType::F64).view()),
            "1 2 3\n4 5 6\n");
}

TEST_F(Run, InputsMayBeOverwrittenByTheirOutputs) {
  write("x.txt", "1 2");

  const auto ran = run("scale.gyre --in a=ones --in x=x.txt --set m=1 --out x=x.txt");

  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(io::read_file(path("x.txt")), "2\n3\n");
}

TEST_F(Run, AFileThatDoesNotFitIsNamed) {
  write("a.txt", "1 2 3 4 5");
  write("x.txt", "1 2 3");
  write("bad.txt", "1 2 three");

  const auto misfit = run("scale.gyre --in a=a.txt --in x=x.txt --set m=3");
  const auto malformed = run("scale.gyre --in a=a.txt --in x=bad.txt --set m=3");

  EXPECT_EQ(misfit.exit, 2);
  EXPECT_EQ(misfit.err, "gyre: 'a.txt' holds f64[5], and 'a' is f64[2, 3]\n");
  EXPECT_EQ(malformed.exit, 2);
  EXPECT_NE(malformed.err.find("bad.txt:1:5"), std::string::npos) << malformed.err;
}

TEST_F(Run, AnOutputThatCannotBeWrittenIsFoundBeforeTheRun) {
  const auto ran =
      run("scale.gyre --in a=ones --in x=zeros --set n=1 --set m=1 --out y=absent/y.npy");

  EXPECT_EQ(ran.exit, 3);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("absent/y.npy"), std::string::npos) << ran.err;
}

TEST_F(Run, InterruptingEndsItAsCancelled) {
  write("spin.gyre", "program spin() { out k: i64; while true { k += 1 } }\n");

  // In the foreground: else the signal goes to the whole group too, and the second one kills.
  const auto ran = gyre("run --executor cpu spin.gyre --json --max-trips 9000000000000000000",
                        "timeout --foreground --preserve-status -s INT 1");

  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("status"), "cancelled");
  EXPECT_EQ(ran.err, "");
}

TEST_F(Run, KeepsATraceInTheFormThatTheFileNameSays) {
  write("count.gyre", "program count() {\n  out k: i32\n  while k < 3 { k += 1 }\n}\n");

  const auto as_csv = run("count.gyre --trace trips.csv");
  const auto as_json = run("count.gyre --trace trips.json");

  EXPECT_EQ(as_csv.exit, 0) << as_csv.err;
  EXPECT_EQ(as_json.exit, 0) << as_json.err;
  EXPECT_THAT(io::read_file(path("trips.csv")),
              testing::MatchesRegex("region,trip,microseconds\n(count/while#0,.,[0-9.]+\n){3}"));
  const auto trips = nlohmann::json::parse(io::read_file(path("trips.json")))["traceEvents"];
  EXPECT_EQ(trips.size(), 3u);
}

TEST_F(Run, JsonNamesTheExecutorAndHowOftenTheHostWaited) {
  const auto ran = run("scale.gyre --in a=ones --in x=zeros --set n=1 --set m=1 --json");

  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("executor"), "cpu");
  EXPECT_EQ(json.at("host_syncs"), 0);
}

class RunOfASwitch : public Run {
 protected:
  // A switch of so many cases, run for k = 0, 7, 14, ... below `end`; returns the line of its arms.
  std::string arms_of(int cases, int end) const {
    std::string text = "program p() {\n  out s: i64, k: i32\n  while k < " + std::to_string(end) +
                       " {\n    switch k {\n";
    for (int label = 0; label < cases; ++label) {
      text += "      case " + std::to_string(label) + " { s += " + std::to_string(label) + " }\n";
    }
    write("switch.gyre", text + "    }\n    k += 7\n  }\n}\n");
    const auto out = run("switch.gyre").out;
    const auto begin = out.find("arms ");
    return out.substr(begin, out.find('\n', begin) - begin);
  }
};

TEST_F(RunOfASwitch, ASmallOneTellsEachCase) {
  EXPECT_EQ(arms_of(10, 22),
            "arms       p/while#0/switch#0: cases 1, 0, 0, 0, 0, 0, 0, 1, 0, 0; "
            "default 2");
}

TEST_F(RunOfASwitch, ALargeOneTellsTheCasesThatRan) {
  EXPECT_EQ(arms_of(2000, 20),
            "arms       p/while#0/switch#0: 3 of 2000 cases ran: case#0 1, "
            "case#7 1, case#14 1; default 0");
}

TEST_F(RunOfASwitch, OfManyThatRanTheFirstAreTold) {
  const auto arms = arms_of(2000, 7 * 300);

  EXPECT_TRUE(arms.starts_with("arms       p/while#0/switch#0: 286 of 2000 cases ran: case#0 1, "))
      << arms;
  EXPECT_TRUE(arms.ends_with("case#105 1, 270 more; default 14")) << arms;
}

TEST_F(RunOfASwitch, NoneThatRanIsSaid) {
  EXPECT_EQ(arms_of(2000, 0), "arms       p/while#0/switch#0: 0 of 2000 cases ran; default 0");
}

}  // namespace
}  // namespace gyre::cli
