/// Folds of one point that share their loop, and loops and teams of which the compiler is told.
#include "emitted.hpp"
#include "support/words.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

using support::count_of;

std::string source_of(const std::string& body, const EmitOptions& options = {}) {
  const std::string text =
      "program p(n: size, m: size) {\n"
      "  in a: f64[n, m], x: f64[m], y: f64[m]\n"
      "  out s: f64[n], t: f64[n], k: i64[n]\n" +
      body + "\n}\n";
  return emit_module(plan_of_text(text, plan::all_steps), options).source;
}

TEST(EmitFolds, ThoseOverTheSameRangesAreOneLoop) {
  const std::string source = source_of(R"(
  foreach i in 0..n {
    s[i] = sum(j in 0..m) a[i, j] * x[j]
    t[i] = max(l in 0..m) a[i, l] * y[l]
    k[i] = argmin(j in 0..m) a[i, j]
  })");

  EXPECT_EQ(count_of(source, "gyre::fold<"), 1U) << source;
  EXPECT_EQ(count_of(source,
                     "gyre::Both<gyre::Sum<double>, gyre::Both<gyre::Max<double>, "
                     "gyre::Argmin<double>>>"),
            1U)
      << source;
}

// How many kernels of the program have a block without points, for their epilogue.
std::size_t blocks_of_epilogues(const std::string& last_statement) {
  const std::string text = R"(
program p(n: size) {
  in x: f64[n]
  inout y: f64[n], z: f64[n]
  out t: f64, last: f64
  let s = sum(i in 0..n) x[i] * y[i]
  foreach i in 0..n { z[i] = y[(i + 1) % n] }
  t = s * s
  foreach i in 0..n { y[i] = z[(i + 1) % n] }
)" + last_statement + "\n}\n";
  const EmittedModule emitted = emit_module(plan_of_text(text, plan::all_steps), {});
  std::size_t found = 0;
  for (const EmittedKernel& kernel : emitted.kernels) {
    EXPECT_EQ(kernel.has_block_of_epilogue, count_of(kernel.text, "if (does_epilogue) {") == 1);
    found += kernel.has_block_of_epilogue ? 1 : 0;
  }
  return found;
}

TEST(EmitFolds, ThatNoPointNeedsIsFinishedByABlockWithoutPoints) {
  EXPECT_EQ(blocks_of_epilogues("last = s + 1"), 1U);
}

TEST(EmitFolds, ThatItsOwnKernelFeedsWaitsForAllBlocks) {
  EXPECT_EQ(blocks_of_epilogues("last = s + sum(i in 0..n) y[i]"), 0U);
}

TEST(EmitFolds, ThoseThatNeedAnotherOrHaveOtherRangesStandAlone) {
  for (const char* body : {
           "foreach i in 0..n { s[i] = sum(j in 0..m) a[i, j]\n"
           "  t[i] = sum(j in 0..m) a[i, j] * s[i] }",
           "foreach i in 0..n { let total = sum(j in 0..m) a[i, j]\n"
           "  t[i] = sum(j in 0..m) a[i, j] * total }",
           "foreach i in 0..n { s[i] = sum(j in 0..m) a[i, j]\n"
           "  t[i] = sum(j in 1..m) a[i, j] }",
           "foreach i in 0..n { s[i] = sum(j in 0..m) a[i, j]\n"
           "  t[i] = 1.0 + sum(j in 0..m) a[i, j] }",
       }) {
    EXPECT_EQ(count_of(source_of(body), "gyre::Both<"), 0U) << body;
  }
}

TEST(EmitFolds, CheckedOnesStandAloneSinceTheirFaultsHaveAnOrder) {
  const std::string source = source_of(R"(
  foreach i in 0..n {
    s[i] = sum(j in 0..m) a[i, j]
    t[i] = sum(j in 0..m) a[i, j] * x[j]
  })",
                                       {.checked = true});

  EXPECT_EQ(count_of(source, "gyre::Both<"), 0U);
}

TEST(EmitLoops, CountedOnesOfPlainStatementsAreUnrolled) {
  const auto unrolled = [](const std::string& statement) {
    return count_of(source_of("foreach i in 0..n {\n  var r: f64 = 0.0\n  for j in 0..m {\n" +
                              statement + "\n}\n  s[i] = r\n}"),
                    "#pragma unroll 4");
  };

  EXPECT_EQ(unrolled("r += a[i, j] * x[j]"), 1U);
  EXPECT_EQ(unrolled("if r > 1.0 { break }\n r += x[j]"), 0U);
  EXPECT_EQ(unrolled("for l in 0..m { r += a[i, l] }"), 1U);
  EXPECT_EQ(unrolled("r += sum(l in 0..m) a[i, l]"), 0U);
}

}  // namespace
}  // namespace gyre::jit
