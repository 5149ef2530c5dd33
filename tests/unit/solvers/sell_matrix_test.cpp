#include "gyre/solvers/sell_matrix.hpp"

#include "gyre/solvers/methods.hpp"
#include "gyre/text/printer.hpp"
#include "support/cpu_run.hpp"
#include "support/refusal.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using support::refusal;

using Integers = std::vector<std::int32_t>;

// Rows of 1, 3, 2, 0 and 1 entries.
io::CsrMatrix uneven() {
  return dense(
      {{1, 0, 0, 0, 0}, {2, 3, 0, 4, 0}, {0, 0, 5, 0, 6}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 7}});
}

// Diagonally dominant, with rows of 1 to 40 entries in no order.
io::CsrMatrix ragged(std::int32_t n) {
  io::Triplets triplets;
  for (std::int32_t i = 0; i < n; ++i) {
    const std::int32_t more = i * 37 % 40;
    triplets.add(i, i, 2.0 + more);
    for (std::int32_t k = 1; k <= more; ++k) {
      triplets.add(i, (i + k * k) % n, -0.9 + 0.01 * k);
    }
  }
  return io::make_csr(n, n, triplets);
}

TEST(Sell, WidensASliceByItsLongestRowAlone) {
  const auto sell = make_sell(view(uneven()), {.slice_rows = 2});

  EXPECT_EQ(sell.slice, (Integers{0, 6, 10, 12}));
  EXPECT_EQ(sell.length, (Integers{1, 3, 2, 0, 1}));
  EXPECT_TRUE(sell.place.empty());
  EXPECT_EQ(sell.col, (Integers{0, 0, -1, 1, -1, 3, 2, -1, 4, -1, 4, -1}));
  EXPECT_EQ(sell.val, (Values{1, 2, 0, 3, 0, 4, 5, 0, 6, 0, 7, 0}));
}

TEST(Sell, SortsRowsByLengthWithinTheirWindows) {
  const auto sell = make_sell(view(uneven()), {.slice_rows = 2, .window = 4});

  EXPECT_EQ(sell.place, (Integers{2, 0, 1, 3, 4}));
  EXPECT_EQ(sell.slice, (Integers{0, 6, 8, 10}));
  EXPECT_EQ(sell.col, (Integers{0, 2, 1, 4, 3, -1, 0, -1, 4, -1}));
}

// As many terms, in the same order: the same folds.
TEST(Sell, GivesTheBitsOfCompressedRowsForRowsOfAnyLength) {
  const auto matrix = ragged(150);
  const Values b = textbook::random_values(150);
  for (const auto* method : {"bicgstab", "gmres", "jacobi"}) {
    const auto expected = solve(matrix, b, {.rtol = 1e-10}, {.method = method});
    ASSERT_EQ(expected.result.reason, Reason::ConvergedRtol);
    for (const SellOptions& options :
         {SellOptions{1, 1}, {7, 1}, {32, 1}, {4, 16}, {32, 150}, {256, 1000}}) {
      const auto sell = make_sell(view(matrix), options);
      Solver solver(method, sell_matrix(sell.view()));
      Values x(150, 0.0);

      const auto result = solver.solve(b, x, {.rtol = 1e-10});

      EXPECT_EQ(result.iterations, expected.result.iterations);
      EXPECT_EQ(x, expected.x) << options.slice_rows << " " << options.window;
    }
  }
}

TEST(Sell, HoldsNoRowsOneRowAndEmptyRows) {
  EXPECT_EQ(make_sell(view(diagonal({}))).slice, Integers{0});
  Values none;
  EXPECT_TRUE(is_converged(
      Solver(sell_matrix(make_sell(view(diagonal({}))).view())).solve(none, none).reason));
  const auto one = make_sell(view(diagonal({4})), {.window = 8});
  Values x(1, 0.0);
  Solver(sell_matrix(one.view())).solve(Values{8}, x);
  EXPECT_EQ(x, Values{2});
  const auto singular = make_sell(view(uneven()));
  Solver solver(sell_matrix(singular.view()), {.preconditioner = Preconditioner::Jacobi});
  Values y(5, 0.0);
  const auto result = solver.solve(Values(5, 1.0), y);
  EXPECT_EQ(result.reason, Reason::NoDiagonal);
  EXPECT_EQ(result.row, 3);
}

TEST(Sell, HasTheBitsOfTheInterpreter) {
  const auto matrix = laplacian(7);
  const std::vector<float> low(matrix.val.begin(), matrix.val.end());
  const Values b = textbook::random_values(49);
  for (const std::int64_t window : {1, 24}) {
    const auto sell = make_sell(view(matrix), {8, window});
    support::OwnedArguments system;
    system.sizes = {{"n", 49}, {"slices", 7}, {"numbers", sell.slice.back()}};
    system.with("slice", sell.slice).with("length", sell.length).with("col", sell.col);
    system.with("val", sell.val).with("b", b).with("x", Values(49));
    system.with("rtol", ir::Value(1e-5));
    if (window > 1) system.with("place", sell.place);
    for (const bool mixed : {false, true}) {
      const Variant variant{.matrix = sell_matrix(sell.view()), .mixed = mixed};
      const auto ran = executors::expect_as_interpreted(
          text::print(method_named("cg").make_program(variant)), system);

      EXPECT_EQ(ran.outcome.status, ir::Status::Completed);
    }
  }
}

TEST(Sell, SaysWhatIsNoMatrix) {
  const auto good = make_sell(view(uneven()), {.slice_rows = 2, .window = 4});
  const auto complain = [&](const std::function<void(SellArrays<double>&)>& change) {
    auto bad = good;
    change(bad);
    return refusal([&] { sell_matrix(bad.view()); });
  };

  EXPECT_EQ(complain([](auto&) {}), "accepted");
  EXPECT_EQ(complain([](auto& m) { m.slice.pop_back(); }),
            "the matrix: 5 rows in slices of 2 need 4 starts of slices, and a length, and where "
            "they are sorted a place, each");
  EXPECT_EQ(complain([](auto& m) { m.val.pop_back(); }), "the matrix: 10 columns with 9 values");
  EXPECT_EQ(
      complain([](auto& m) { m.slice[1] = 5; }),
      "the matrix: slice 0 (from 0) has room for 5 entries, which is no multiple of its rows");
  EXPECT_EQ(complain([](auto& m) { m.slice[3] = 8; }),
            "the matrix: the slices do not go from 0 to their 10 numbers");
  EXPECT_EQ(complain([](auto& m) { m.length[0] = 2; }),
            "the matrix: row 0 (from 0) has 2 entries, and its slice room for 1");
  EXPECT_EQ(complain([](auto& m) { m.place[0] = 5; }),
            "the matrix: row 0 (from 0) has a place outside 0 .. n");
  EXPECT_EQ(complain([](auto& m) { m.place[1] = 2; }),
            "the matrix: row 1 (from 0) has another one's place");
  EXPECT_EQ(complain([](auto& m) { m.col[0] = 5; }), "the matrix: column 5 is outside 0 .. 5");
  EXPECT_EQ(complain([](auto& m) { m.slice_rows = 0; }),
            "the matrix: a slice has at least one row");
  EXPECT_EQ(refusal([] { make_sell(view(uneven()), {.slice_rows = 0}); }),
            "slice_rows must be at least 1");
  EXPECT_EQ(refusal([] { make_sell(view(uneven()), {.window = 0}); }), "window must be at least 1");
}

TEST(Sell, HasASentenceForMoreThanAnIntegerCounts) {
  // One full row in slices of 2^24 rows takes 2^24 numbers for each of its entries.
  io::Triplets triplets;
  for (std::int32_t j = 0; j < 200; ++j) triplets.add(0, j, 1);
  const auto square = io::make_csr(200, 200, triplets);
  const std::int32_t start[2] = {0, 0};
  const std::int32_t length = 0;
  const double val = 1;
  const std::size_t many = std::size_t{1} << 31;

  EXPECT_EQ(refusal([&] { make_sell(view(square), {.slice_rows = 1 << 24}); }),
            "the matrix: its slices need room for more entries than an i32 counts, up to "
            "2147483647");
  EXPECT_EQ(refusal([&] {
              sell_matrix(SellView{1, 1, start, {&length, 1}, {}, {&length, many}, {&val, many}},
                          Contents::Trust);
            }),
            "the matrix: room for 2147483648 entries; slices are counted by an i32, up to "
            "2147483647");
}

}  // namespace
}  // namespace gyre::solvers
