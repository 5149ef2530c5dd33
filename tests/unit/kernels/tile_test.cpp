// Folds of a crew whose threads own adjacent strands, against the fold that defines their bits.

#include "gyre/ir/eval.hpp"
#include "gyre/ir/strands.hpp"
#include "unit/kernels/simt.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

// Of many sizes, so that the order of additions shows.
double tile_number_at(int i) {
  const auto bits = static_cast<std::uint32_t>(i * 2654435761U);
  return std::ldexp(1.0 + bits % 1000, static_cast<int>(bits >> 28)) * (bits % 2 == 0 ? 1 : -1);
}

template <unsigned threads, int strands>
double sum_on_a_block(int points) {
  using Fold = Sum<double>;
  static Partials<Fold, threads / 32, 1> partials;
  alignas(16) static Control control;
  std::vector<double> seen(threads);
  simt::Block::launch(1, threads, [&] {
    Crew<BlockMeeting> crew(reinterpret_cast<State>(&control));
    Tile<Fold, strands> tile;
    for (int own = 0; own < strands; ++own) {
      const int point = static_cast<int>(crew.thread()) * strands + own;
      if (point < points) tile.add(own, tile_number_at(point), point);
    }
    leave(crew, partials, tile, points);
    crew.meet();
    seen[threadIdx.x] = finish<strands>(partials, points);
  });
  for (const double one : seen) EXPECT_EQ(one, seen[0]);
  return seen[0];
}

double sum_as_defined(int points) {
  ir::StrandFold fold(ir::FoldOp::Sum, ir::ScalarType::F64, strands::outer(points));
  for (int i = 0; i < points; ++i) fold.add(ir::Value(tile_number_at(i)), i);
  return fold.finish().as<double>();
}

TEST(Tile, SumsHaveTheShapeOfFoldsForEveryNumberOfPoints) {
  for (int points = 0; points <= 128; ++points) {
    EXPECT_EQ((sum_on_a_block<128, 1>(points)), sum_as_defined(points)) << points;
    EXPECT_EQ((sum_on_a_block<32, 4>(points)), sum_as_defined(points)) << points;
  }
}

TEST(Tile, SumsHaveTheShapeOfFoldsOnManyWarps) {
  for (const int points : {1, 31, 33, 255, 256, 257, 500, 511, 512, 513, 900, 1000, 1023, 1024}) {
    EXPECT_EQ((sum_on_a_block<1024, 1>(points)), sum_as_defined(points)) << points;
    EXPECT_EQ((sum_on_a_block<512, 2>(points)), sum_as_defined(points)) << points;
    EXPECT_EQ((sum_on_a_block<256, 4>(points)), sum_as_defined(points)) << points;
  }
}

}  // namespace
}  // namespace gyre
