#include "command_test_fixture.hpp"
#include "gyre/io/file.hpp"
#include "gyre/io/matrix_market.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gyre::cli {
namespace {

// Runs `gyre solve` in a folder of its own, where matrices and results lie.
class Solve : public CommandTest {
 protected:
  Ran solve(const std::string& arguments) const { return gyre("solve " + arguments); }

  // [[2, -1, 0], [-1, 2, -1], [0, -1, 2]]
  void write_good() const {
    write("good.mtx",
          "%%MatrixMarket matrix coordinate real symmetric\n"
          "3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 2\n");
  }
};

void expect_one_line(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

TEST_F(Solve, SaysHowItWentInAFewLines) {
  write_good();

  const auto ran = solve("good.mtx --executor cpu --precond jacobi");

  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(ran.out.find("good.mtx: 3 rows, 7 entries, symmetric"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("cg with jacobi on cpu"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("converged_rtol"), std::string::npos) << ran.out;
}

TEST_F(Solve, SolvesSeveralColumnsAtOnce) {
  write_good();
  write("b.mtx", "%%MatrixMarket matrix array real general\n3 2\n1\n0\n1\n0\n0\n0\n");

  const auto ran = solve("good.mtx --rhs b.mtx --executor cpu --precond jacobi --output x.mtx");
  const auto json = nlohmann::json::parse(solve("good.mtx --rhs b.mtx --executor cpu --json").out);

  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_NE(ran.out.find("all 2 systems converged"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("cg with jacobi on cpu, 2 right-hand sides"), std::string::npos)
      << ran.out;
  const auto x = io::read_dense(path("x.mtx"));
  ASSERT_EQ(x.cols, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(x.val[2 * i], 1.0, 1e-7);
    EXPECT_EQ(x.val[2 * i + 1], 0.0);
  }
  EXPECT_EQ(json.at("converged"), 2);
  EXPECT_EQ(json.at("rhs").size(), 2U);
  EXPECT_EQ(json.at("rhs")[1].at("iterations"), 0);
}

TEST_F(Solve, SaysWhatSeveralColumnsCannotHave) {
  write_good();
  write("b.mtx", "%%MatrixMarket matrix array real general\n3 2\n1\n0\n1\n0\n0\n0\n");
  write("long.mtx", "%%MatrixMarket matrix array real general\n4 2\n1\n0\n1\n0\n0\n0\n1\n1\n");
  for (const char* words :
       {"--rhs b.mtx --history", "--rhs b.mtx --executor all", "--rhs b.mtx --precision mixed",
        "--rhs b.mtx --format ell", "--rhs b.mtx --method gmres", "--rhs long.mtx"}) {
    const auto ran = solve(std::string("good.mtx ") + words);
    EXPECT_EQ(ran.exit, 2) << words;
    EXPECT_NE(ran.err, "") << words;
  }
}

TEST_F(Solve, JsonHoldsEveryFigure) {
  write_good();

  const auto ran = solve("good.mtx --json --history --executor cpu");
  const auto json = nlohmann::json::parse(ran.out);

  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(json.at("reason"), "converged_rtol");
  EXPECT_EQ(json.at("converged"), true);
  EXPECT_EQ(json.at("n"), 3);
  EXPECT_EQ(json.at("nnz"), 7);
  EXPECT_EQ(json.at("executor"), "cpu");
  EXPECT_EQ(json.at("host_syncs"), 0);
  EXPECT_LE(json.at("relative_residual"), 1e-8);
  EXPECT_EQ(json.at("history").size(), json.at("iterations").get<std::size_t>() + 1);
  for (const auto* name :
       {"symmetric", "message", "residual", "start_residual", "recurrence_residual", "seconds",
        "seconds_per_iteration", "restarts", "first_trip"}) {
    EXPECT_TRUE(json.contains(name)) << name;
  }
}

TEST_F(Solve, EveryMethodSolvesInEveryPrecision) {
  write_good();

  for (const std::string method :
       {"cg", "minres", "bicgstab", "gmres --restart 2", "chebyshev --eigenvalues 0.5,3.5",
        "richardson --relaxation 0.5", "jacobi", "gauss_seidel --relaxation 1.1"}) {
    for (const std::string precision : {"f64", "f32", "mixed"}) {
      const auto ran = solve("good.mtx --json --rtol 1e-5 --method " + method + " --precision " +
                             precision + " --output x.mtx");

      EXPECT_EQ(ran.exit, 0) << method << " " << precision << ran.err;
      EXPECT_EQ(nlohmann::json::parse(ran.out).at("precision"), precision);
      EXPECT_NEAR(io::read_vector(path("x.mtx")).at(1), 2.0, 1e-3) << method << " " << precision;
    }
  }
}

TEST_F(Solve, EveryPreconditionerAndFormatSolves) {
  write_good();

  for (const std::string preconditioner : {"none", "jacobi", "block_jacobi --block-size 2", "spai0",
                                           "chebyshev --degree 2", "amg", "ilu0", "ic0", "ssor"}) {
    for (const std::string format :
         {"csr", "ell", "ell --precision f32", "sell", "sell --precision f32"}) {
      const auto ran = solve("good.mtx --rtol 1e-5 --precond " + preconditioner + " --format " +
                             format + " --output x.mtx");

      EXPECT_EQ(ran.exit, 0) << preconditioner << " " << format << ran.err;
      EXPECT_NEAR(io::read_vector(path("x.mtx")).at(1), 2.0, 1e-3);
    }
  }
}

TEST_F(Solve, AutoChoosesAMethodAndSaysWhy) {
  write_good();
  // Symmetric with a positive diagonal, and indefinite: cg finds out.
  write("hidden.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 3\n2 2 2\n");
  write("skewed.mtx",
        "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 4\n");

  const auto good = nlohmann::json::parse(solve("good.mtx --method auto --json").out);
  const auto hidden = solve("hidden.mtx --method auto --executor cpu");
  const auto skewed = nlohmann::json::parse(solve("skewed.mtx --method auto --json").out);

  EXPECT_EQ(good.at("method"), "cg");
  EXPECT_NE(good.at("why"), "");
  EXPECT_EQ(hidden.exit, 0);
  EXPECT_NE(hidden.out.find("minres on cpu: cg found that"), std::string::npos) << hidden.out;
  EXPECT_EQ(skewed.at("method"), "bicgstab");
  EXPECT_EQ(skewed.at("preconditioner"), "jacobi");
  EXPECT_EQ(solve("skewed.mtx --method auto").err, "");
}

TEST_F(Solve, EveryExecutorHasALineInTheTable) {
  write_good();

  const auto table = solve("good.mtx --executor all");
  const auto json = nlohmann::json::parse(solve("good.mtx --executor all --json").out);

  EXPECT_EQ(table.exit, 0);
  ASSERT_TRUE(json.is_array());
  for (const auto& one : json) {
    EXPECT_NE(table.out.find("\n" + one.at("executor").get<std::string>() + " "), std::string::npos)
        << table.out;
  }
  EXPECT_NE(table.out.find("host syncs"), std::string::npos);
}

TEST_F(Solve, WritesTheSolutionAndTheHistory) {
  write_good();
  write("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n0\n1\n");

  const auto ran = solve("good.mtx --rhs b.mtx --output x.mtx --history=residuals.txt");

  EXPECT_EQ(ran.exit, 0);
  for (const double one : io::read_vector(path("x.mtx"))) EXPECT_NEAR(one, 1.0, 1e-7);
  EXPECT_TRUE(io::read_file(path("residuals.txt")).starts_with("trip residual\n0 1.41421356"));
}

TEST_F(Solve, NotConvergingIsExitOneWithAReason) {
  write_good();
  write("indefinite.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 -1\n");
  write("zero.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 0\n");
  write("empty_row.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n");
  write("nan.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\nnan\n1\n");

  const auto reason = [&](const std::string& arguments) {
    const auto ran = solve(arguments + " --json");
    EXPECT_EQ(ran.exit, 1) << arguments;
    return nlohmann::json::parse(ran.out).at("reason").get<std::string>();
  };

  EXPECT_EQ(reason("indefinite.mtx"), "indefinite");
  EXPECT_EQ(reason("zero.mtx"), "indefinite");
  EXPECT_EQ(reason("zero.mtx --precond jacobi"), "no_diagonal");
  EXPECT_EQ(reason("empty_row.mtx --precond jacobi"), "no_diagonal");
  EXPECT_EQ(reason("empty_row.mtx --precond ilu0"), "no_diagonal");
  EXPECT_EQ(reason("indefinite.mtx --precond ic0"), "bad_pivot");
  EXPECT_EQ(reason("good.mtx --max-trips 0"), "max_trips");
  EXPECT_EQ(reason("good.mtx --rhs nan.mtx"), "nan_or_inf");
  EXPECT_NE(solve("empty_row.mtx --precond jacobi").out.find("row 2 has no diagonal"),
            std::string::npos);
  EXPECT_NE(
      solve("indefinite.mtx --precond ic0").out.find("row 2 leaves the preconditioner a pivot"),
      std::string::npos);
}

TEST_F(Solve, BadInputIsExitTwoWithOneSentence) {
  write_good();
  write("wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n");
  write("short.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");

  const auto fails = [&](const std::string& arguments, const std::string& part) {
    const auto ran = solve(arguments);
    EXPECT_EQ(ran.exit, 2) << arguments;
    EXPECT_EQ(ran.out, "");
    expect_one_line(ran.err, part);
  };

  fails("absent.mtx", "absent.mtx");
  fails("wide.mtx", "2 rows and 3 columns; a system to solve is square");
  fails("good.mtx --rhs short.mtx", "2 values for the right-hand side of 3 rows");
  fails("good.mtx --rtol -1", "rtol must be a number from 0 on");
  fails("good.mtx --rtol nan", "rtol must be a number from 0 on");
  fails("good.mtx --max-trips -1", "max_trips must not be negative");
  fails("good.mtx --executor gpu", "gpu");
  fails("good.mtx --method gauss_seidel --precond jacobi", "takes no preconditioner");
}

TEST_F(Solve, BrokenFilesAreLocated) {
  write("empty.mtx", "");
  write("truncated.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n");
  write("outside.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n");

  for (const std::string name : {"empty.mtx", "truncated.mtx", "outside.mtx"}) {
    const auto ran = solve(name);

    EXPECT_EQ(ran.exit, 2) << name;
    EXPECT_NE(ran.err.find(name + ":"), std::string::npos) << ran.err;
  }
}

TEST_F(Solve, ToleranceZeroAndZeroRhsEnd) {
  write("identity.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
  write("zero.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n0\n");

  EXPECT_EQ(solve("identity.mtx --rtol 0").exit, 0);
  const auto ran = solve("identity.mtx --rhs zero.mtx --output x.mtx --json");

  EXPECT_EQ(ran.exit, 0);
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("iterations"), 0);
  EXPECT_EQ(io::read_vector(path("x.mtx")), (std::vector<double>{0, 0}));
}

TEST_F(Solve, CriteriaCombineAndAreLookedAtAsOftenAsAsked) {
  write_good();
  const auto told = [&](const std::string& options) {
    return nlohmann::json::parse(solve("good.mtx --json --method jacobi " + options).out);
  };

  const auto each = told("--rtol 1e-3");
  const auto late = told("--rtol 1e-3 --check-every 7");
  const auto start = told("--rtol 1e-3 --rtol-of start");

  EXPECT_EQ(each.at("reason"), "converged_rtol");
  EXPECT_EQ(late.at("reason"), "converged_rtol");
  const auto trips = each.at("iterations").get<int>();
  EXPECT_EQ(late.at("iterations"), (trips + 6) / 7 * 7);
  EXPECT_EQ(start.at("iterations"), trips);
  EXPECT_EQ(told("--rtol 1e-9 --max-trips 5 --check-every 7").at("reason"), "max_trips");
  EXPECT_EQ(told("--rtol 0 --atol 1e-3").at("reason"), "converged_atol");
  EXPECT_EQ(solve("good.mtx --max-seconds 0").exit, 2);
  EXPECT_EQ(solve("good.mtx --check-every 0").exit, 2);
  EXPECT_EQ(solve("good.mtx --rtol-of x0").exit, 2);
}

TEST_F(Solve, AMatrixThatIsNotSymmetricGetsAWarningOnStandardError) {
  write("skewed.mtx",
        "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 2\n");

  const auto ran = solve("skewed.mtx");

  expect_one_line(ran.err, "skewed.mtx is not symmetric, and cg is for symmetric matrices");
}

TEST_F(Solve, ShowsNoProgressWhenPiped) {
  const auto ran = solve(GYRE_SOURCE_DIR "/samples/data/l_shape.mtx --rtol 0 --max-trips 3000");

  EXPECT_EQ(ran.err, "");
}

TEST_F(Solve, AnOutputThatCannotBeWrittenIsFoundBeforeTheSolve) {
  write_good();

  for (const std::string option : {"--output absent/x.mtx", "--history=absent/residuals.txt"}) {
    const auto ran = solve("good.mtx " + option);

    EXPECT_EQ(ran.exit, 3) << option;
    EXPECT_EQ(ran.out, "") << option;
    expect_one_line(ran.err, "cannot write 'absent/");
  }
}

TEST_F(Solve, InterruptingEndsItAsCancelledWithItsReport) {
  // A chain of 100,000: the method needs half as many trips, which is many seconds.
  constexpr int n = 100'000;
  std::string chain = "%%MatrixMarket matrix coordinate real symmetric\n" + std::to_string(n) +
                      " " + std::to_string(n) + " " + std::to_string(2 * n - 1) + "\n";
  for (int i = 1; i <= n; ++i) {
    const std::string row = std::to_string(i);
    if (i > 1) chain += row + " " + std::to_string(i - 1) + " -1\n";
    chain += row + " " + row + " 2\n";
  }
  write("chain.mtx", chain);

  // In the foreground: else the signal goes to the whole group too, and the second one kills.
  const auto ran =
      gyre("solve chain.mtx --executor cpu --json --max-trips 1000000000 --output x.mtx",
           "timeout --foreground --preserve-status -s INT 2");

  EXPECT_EQ(ran.exit, 1) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("reason"), "cancelled");
  EXPECT_EQ(json.at("converged"), false);
  EXPECT_TRUE(json.at("residual").is_null());
  EXPECT_EQ(io::read_vector(path("x.mtx")).size(), static_cast<std::size_t>(n));
}

}  // namespace
}  // namespace gyre::cli
