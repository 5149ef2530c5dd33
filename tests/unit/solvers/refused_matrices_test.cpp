/// What is no matrix, or too large for one, and the sentence that says so.
#include "forms.hpp"
#include "support/refusal.hpp"
#include "systems.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using support::refusal;

TEST(RefusedMatrices, SayWhatIsNoMatrix) {
  const std::vector<double> two = {1, 2};
  const std::vector<std::int32_t> columns = {0, 2};

  EXPECT_EQ(
      refusal([&] {
        ell_matrix(EllView{2, 2, columns, two});
      }),
      "the matrix: 2 rows of 2 entries need as many columns and values, and 2 and 2 are given");
  EXPECT_EQ(refusal([&] {
              ell_matrix(EllView{2, 1, columns, two});
            }),
            "the matrix: column 2 is outside -1 .. 2");
  const std::vector<std::int32_t> none = {0, -1};
  EXPECT_EQ(refusal([&] {
              ell_matrix(EllView{2, 1, none, two});
            }),
            "the matrix: a value without a column is not 0");
  EXPECT_EQ(refusal([&] {
              dense_matrix(DenseView{2, two});
            }),
            "the matrix: 2 x 2 entries need as many values, and 2 are given");
  EXPECT_EQ(refusal([&] {
              stencil_matrix(StencilView{{70000, 70000}, {{0, 0}}, two});
            }),
            "the matrix: a grid has less than 2^31 points");
  EXPECT_EQ(
      refusal([&] {
        stencil_matrix(StencilView{{3}, {{0}}, two});
      }),
      "the matrix: 1 offsets on 3 points need a value each, or one for each point; there are 2");
  EXPECT_EQ(refusal([&] {
              stencil_matrix(StencilView{{3}, {{0, 1}, {1, 1}}, two});
            }),
            "the matrix: an offset needs a coordinate for each extent");
  EXPECT_EQ(refusal([&] { matrix_free<double>({.n = 3, .declare = {}}); }),
            "the matrix: it has no product");
  EXPECT_EQ(refusal([&] {
              Solver solver(Forms<double>(diagonal(two)).in("matrix_free"),
                            {.preconditioner = Preconditioner::Jacobi});
            }),
            "the matrix: it is only known by its products, and its rows are asked for");
  EXPECT_EQ(refusal([&] { Solver solver(Forms<float>(diagonal(two)).in("ell"), {.mixed = true}); }),
            "mixed precision is for matrices of f64");
}

TEST(RefusedMatrices, HaveASentenceForMoreThanAnIntegerCounts) {
  const std::int32_t row = 0;
  const double val = 1;
  const std::size_t many = std::size_t{1} << 31;

  EXPECT_EQ(refusal([&] {
              csr_matrix(CsrView{0, {&row, 1}, {&row, many}, {&val, many}}, Contents::Trust);
            }),
            "the matrix: 2147483648 entries; rows are counted by an i32, up to 2147483647");
  const auto n = static_cast<std::int64_t>(many);
  const std::string rows =
      "the matrix: 2147483648 rows; columns are numbered by an i32, up to 2147483647";
  EXPECT_EQ(refusal([&] {
              csr_matrix(CsrView{n, {&row, many + 1}, {}, {}}, Contents::Trust);
            }),
            rows);
  EXPECT_EQ(refusal([&] { ell_matrix(EllView{n, 1, {&row, many}, {&val, many}}); }), rows);
  EXPECT_EQ(refusal([&] { sell_matrix(SellView{n, 32, {}, {&row, many}, {}, {}, {}}); }), rows);
  EXPECT_EQ(refusal([&] { dense_matrix(DenseView{n, {&val, many * many}}); }), rows);
  EXPECT_EQ(refusal([&] {
              csr_matrix(CsrView{-1, {}, {}, {}});
            }),
            "the matrix: n = -1 is negative");
}

}  // namespace
}  // namespace gyre::solvers
