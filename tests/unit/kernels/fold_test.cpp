// Folds as the device makes them, against the fold that defines their bits.

#include "gyre/ir/eval.hpp"
#include "gyre/ir/strands.hpp"
#include "unit/kernels/simt.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

constexpr unsigned offset = 64;

// The state of a launch, as far as one fold goes. What its last use has left stays in it.
template <class Fold>
State state_of() {
  alignas(16) static char memory[offset + 16 + 16 * 1024];
  return memory;
}

ir::Value value_of(long long value) {
  return ir::Value(std::int64_t{value});
}
template <class T>
ir::Value value_of(T value) {
  return ir::Value(value);
}

/// Leaves the partials of `terms` and finishes them, as the blocks of two kernels do.
template <class Fold, class Term>
ir::Value fold_on_blocks(const std::vector<Term>& terms) {
  State state = state_of<Fold>();
  const auto points = static_cast<long long>(terms.size());
  const long long strands = std::min(points, strands::max_outer);
  const auto blocks = static_cast<unsigned>((strands + block_threads - 1) / block_threads);
  // One block more than there is work for.
  simt::Block::launch(blocks + 1, block_threads, [&] {
    Strand<Fold> strand;
    for (long long point = first_point(); point < points; point += next_point) {
      strand.add(terms[static_cast<std::size_t>(point)], point);
    }
    leave_partial<0>(state, offset, strand, points);
  });
  std::vector<ir::Value> seen(block_threads);
  simt::Block::launch(1, block_threads,
                      [&] { seen[threadIdx.x] = value_of(finish<Fold, 0>(state, offset)); });
  for (const auto& one : seen) EXPECT_TRUE(same(one, seen[0]));
  return seen[0];
}

template <class Term>
ir::Value fold_as_defined(ir::FoldOp op, const std::vector<Term>& terms) {
  const auto count = static_cast<std::int64_t>(terms.size());
  ir::StrandFold fold(op, ir::Value(Term{}).type(), strands::outer(count));
  for (std::int64_t i = 0; i < count; ++i) {
    fold.add(ir::Value(static_cast<Term>(terms[static_cast<std::size_t>(i)])), i);
  }
  return fold.finish();
}

// Of many sizes, so that the order of additions shows.
double number_at(std::size_t i) {
  const auto bits = static_cast<std::uint32_t>(i * 2654435761U);
  return std::ldexp(1.0 + bits % 1000, static_cast<int>(bits >> 28)) * (bits % 2 == 0 ? 1 : -1);
}

class FoldOfPoints : public ::testing::TestWithParam<long long> {
 protected:
  template <class Term>
  static std::vector<Term> terms() {
    std::vector<Term> made(static_cast<std::size_t>(GetParam()));
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<Term>(number_at(i));
    return made;
  }
  static std::vector<char> bools(std::size_t odd_one) {
    std::vector<char> made(static_cast<std::size_t>(GetParam()), 0);
    if (odd_one < made.size()) made[odd_one] = 1;
    return made;
  }
};

TEST_P(FoldOfPoints, SumsAsTheStrandsSay) {
  EXPECT_TRUE(same(fold_on_blocks<Sum<double>>(terms<double>()),
                   fold_as_defined(ir::FoldOp::Sum, terms<double>())));
  EXPECT_TRUE(same(fold_on_blocks<Sum<float>>(terms<float>()),
                   fold_as_defined(ir::FoldOp::Sum, terms<float>())));
}

TEST_P(FoldOfPoints, FindsTheFirstOfTheLeast) {
  EXPECT_TRUE(same(fold_on_blocks<Argmin<double>>(terms<double>()),
                   fold_as_defined(ir::FoldOp::Argmin, terms<double>())));
}

TEST_P(FoldOfPoints, FindsTheGreatestInteger) {
  EXPECT_TRUE(same(fold_on_blocks<Max<std::int32_t>>(terms<std::int32_t>()),
                   fold_as_defined(ir::FoldOp::Max, terms<std::int32_t>())));
}

TEST_P(FoldOfPoints, SeesTheOneThatHolds) {
  const auto last = static_cast<std::size_t>(std::max(GetParam() - 1, 0LL));

  EXPECT_EQ(fold_on_blocks<Any<bool>>(bools(last)).as<bool>(), GetParam() > 0);
  EXPECT_EQ(fold_on_blocks<Count<bool>>(bools(last)).as<std::int64_t>(), GetParam() > 0 ? 1 : 0);
  EXPECT_FALSE(fold_on_blocks<Any<bool>>(bools(last + 1)).as<bool>());
}

INSTANTIATE_TEST_SUITE_P(Sizes, FoldOfPoints,
                         ::testing::Values(0, 1, 2, 3, 31, 32, 33, 64, 255, 256, 257, 511, 675,
                                           1024, 1025, 5000));

template <class Fold>
void expect_neutral_beside(const std::vector<typename Fold::Value>& values) {
  for (const auto value : values) {
    EXPECT_TRUE(same(value_of(Fold::combine(Fold::neutral(), value)), value_of(value)));
  }
}

TEST(FoldOnBlocks, ANeutralValueChangesNoOther) {
  constexpr double inf = HUGE_VAL;
  const std::vector<double> edges = {0.0, -0.0, 1.5, -1.5, inf, -inf, std::nan("")};
  expect_neutral_beside<Sum<double>>(edges);
  expect_neutral_beside<Prod<double>>(edges);
  expect_neutral_beside<Min<double>>(edges);
  expect_neutral_beside<Max<double>>(edges);
  const std::vector<std::int32_t> integers = {0, 1, -1, INT32_MAX, INT32_MIN};
  expect_neutral_beside<Sum<std::int32_t>>(integers);
  expect_neutral_beside<Prod<std::int32_t>>(integers);
  expect_neutral_beside<Min<std::int32_t>>(integers);
  expect_neutral_beside<Max<std::int32_t>>(integers);
  expect_neutral_beside<Any<bool>>({false, true});
  expect_neutral_beside<All<bool>>({false, true});
  expect_neutral_beside<Count<bool>>({0, 5});
}

TEST(FoldOnBlocks, AStrandGoesOnWhereThereAreMorePointsThanStrands) {
  const long long points = 2 * strands::max_outer + 100;
  State state = state_of<Sum<double>>();
  const auto term = [](long long point) { return number_at(static_cast<std::size_t>(point)); };

  simt::Block::launch(1, block_threads, [&] {
    Strand<Sum<double>> strand;
    for (long long point = first_point(); point < points; point += next_point) {
      strand.add(term(point), point);
    }
    leave_partial<0>(state, offset, strand, points);
  });

  std::vector<double> expected(block_threads);
  for (long long i = 0; i < block_threads; ++i) {
    expected[static_cast<std::size_t>(i)] = term(i) + term(i + strands::max_outer);
    if (i < 100) expected[static_cast<std::size_t>(i)] += term(i + 2 * strands::max_outer);
  }
  EXPECT_EQ(partials<double>(state, offset)[0],
            strands::combine_tree(expected.data(), block_threads, Sum<double>::combine));
}

TEST(FoldOnBlocks, FinishesAsManyPartialsAsThereCanBe) {
  State state = state_of<Sum<double>>();
  for (const long long count : {1LL, 4LL, 5LL, 127LL, 128LL, 129LL, 1022LL, 1023LL, 1024LL}) {
    std::vector<double> left(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = number_at(i);
    reinterpret_cast<PartialsHead*>(state + offset)->count = count;
    std::copy(left.begin(), left.end(), partials<double>(state, offset));

    double seen = 0;
    simt::Block::launch(1, block_threads, [&] { seen = finish<Sum<double>, 0>(state, offset); });

    EXPECT_EQ(seen, strands::combine_tree(left.data(), count, Sum<double>::combine)) << count;
  }
}

}  // namespace
}  // namespace gyre
