// Folds of a grid that owns all points, against the fold that defines their bits.

#include "gyre/ir/eval.hpp"
#include "gyre/ir/strands.hpp"
#include "gyre/jit/resident_shape.hpp"
#include "unit/kernels/simt.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

static_assert(most_owner_blocks == jit::most_owner_blocks);

constexpr unsigned grid_offset = 64;

// Of many sizes, so that the order of additions shows.
double grid_number_at(long long i) {
  const auto bits = static_cast<std::uint32_t>(i * 2654435761LL);
  return std::ldexp(1.0 + bits % 1000, static_cast<int>(bits >> 28)) * (bits % 2 == 0 ? 1 : -1);
}

// Blocks that run one after the other leave their values; two of them take the result.
template <unsigned threads, int strands>
double sum_on_a_grid(long long points, unsigned blocks, int points_a_strand = 1) {
  using Fold = Sum<double>;
  constexpr int parts = threads / 32 * strands;
  static Partials<Fold, parts, 1> partials;
  alignas(16) static char state[grid_offset + sizeof(PartialsHead) + 8 * most_owner_blocks];
  std::vector<double> seen;
  const int terms = static_cast<int>(points);
  simt::Block::launch(blocks, threads, [&] {
    Tile<Fold, strands> tile;
    for (int own = 0; own < strands * points_a_strand; ++own) {
      const long long point = own_point<threads, strands>(own);
      if (point < points) tile.add(own, grid_number_at(point), point);
    }
    leave(state, grid_offset, partials, tile, terms);
  });
  simt::Block::launch(
      2, threads, [&] { seen.push_back(finish<strands>(state, grid_offset, partials, terms)); });
  for (const double one : seen) EXPECT_EQ(one, seen[0]);
  return seen[0];
}

double sum_as_defined(long long points) {
  ir::StrandFold fold(ir::FoldOp::Sum, ir::ScalarType::F64, strands::outer(points));
  for (long long i = 0; i < points; ++i) fold.add(ir::Value(grid_number_at(i)), i);
  return fold.finish().as<double>();
}

TEST(GridTile, EveryPointHasOneOwner) {
  constexpr int points = 3 * 64 * 4;
  std::vector<int> owners(points);
  simt::Block::launch(3, 64, [&] {
    for (int own = 0; own < 4; ++own) {
      ++owners.at(static_cast<std::size_t>(own_point<64, 4>(own)));
    }
  });

  for (const int one : owners) EXPECT_EQ(one, 1);
}

TEST(GridTile, ThePointsOfAStrandFollowEachOtherInItsOwner) {
  simt::Block::launch(1, 32, [&] {
    EXPECT_EQ((own_point<32, 2>(2)), (own_point<32, 2>(0)) + strands::max_outer);
    EXPECT_EQ((own_point<32, 2>(3)), (own_point<32, 2>(1)) + strands::max_outer);
  });
}

TEST(GridTile, SumsHaveTheShapeOfFoldsForEveryNumberOfPoints) {
  for (int points = 0; points <= 3 * 64; ++points) {
    EXPECT_EQ((sum_on_a_grid<64, 1>(points, 3)), sum_as_defined(points)) << points;
    EXPECT_EQ((sum_on_a_grid<32, 2>(points, 3)), sum_as_defined(points)) << points;
  }
}

TEST(GridTile, SumsHaveTheShapeOfFoldsOnManyWarpsAndBlocks) {
  for (const int points : {1, 1025, 4000, 8192}) {
    EXPECT_EQ((sum_on_a_grid<1024, 1>(points, 8)), sum_as_defined(points)) << points;
    EXPECT_EQ((sum_on_a_grid<512, 4>(points, 4)), sum_as_defined(points)) << points;
    EXPECT_EQ((sum_on_a_grid<256, 1>(points, 32)), sum_as_defined(points)) << points;
  }
}

TEST(GridTile, StrandsHaveSeveralTermsWhereThereAreMorePointsThanStrands) {
  const long long points = strands::max_outer + 1000;

  EXPECT_EQ((sum_on_a_grid<512, 4>(points, 128, 2)), sum_as_defined(points));
}

}  // namespace
}  // namespace gyre
