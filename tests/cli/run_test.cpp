#include "command_test_fixture.hpp"
#include "gyre/io/array_file.hpp"
#include "gyre/io/file.hpp"

#include <cstdint>
#include <string>
#include <vector>

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

TEST_F(Run, AnOutputThatCannotBeWrittenIsTheMachinesFault) {
  const auto ran =
      run("scale.gyre --in a=ones --in x=zeros --set n=1 --set m=1 --out y=absent/y.npy");

  EXPECT_EQ(ran.exit, 3);
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

}  // namespace
}  // namespace gyre::cli
