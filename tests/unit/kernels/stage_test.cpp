// Rows that a warp brings together, against a thread that goes through its own row.

#include "unit/kernels/simt.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

double stage_number_at(long long i) {
  const auto bits = static_cast<unsigned>(i) * 2654435761U;
  return std::ldexp(1.0 + bits % 1000, static_cast<int>(bits >> 28)) * (bits % 2 == 0 ? 1 : -1);
}

/// A sum over each of `rows` by one warp with room for `room` elements.
std::vector<double> staged_sums(const std::vector<Row>& rows, const std::vector<double>& values,
                                unsigned room) {
  std::vector<double> sums(rows.size());
  const auto points = static_cast<long long>(rows.size());
  simt::Block::launch(1, 32, [&] {
    const Stage stage{room, 8};
    const long long point = threadIdx.x;
    const Row own = point < points ? rows[static_cast<std::size_t>(point)] : Row{};
    const double sum = stage.fold<Sum<double>>(
        own, Stage::present(point, points),
        [&](const Rows& brought) {
          const auto staged = stage.bring(values.data(), brought, 0);
          return [=](int k) { return staged[k]; };
        },
        [&](int k) { return values[static_cast<std::size_t>(k)]; });
    if (point < points) sums[static_cast<std::size_t>(point)] = sum;
  });
  return sums;
}

std::vector<double> own_sums(const std::vector<Row>& rows, const std::vector<double>& values) {
  std::vector<double> sums;
  simt::Block::launch(1, 1, [&] {
    for (const Row& row : rows) {
      sums.push_back(fold<Sum<double>>(Range{row.begin, row.end}).of([&](int k) {
        return values[static_cast<std::size_t>(k)];
      }));
    }
  });
  return sums;
}

std::vector<double> values_of(long long count) {
  std::vector<double> values;
  for (long long i = 0; i < count; ++i) values.push_back(stage_number_at(i));
  return values;
}

std::vector<Row> rows_of(const std::vector<long long>& bounds) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) rows.push_back({bounds[i], bounds[i + 1]});
  return rows;
}

TEST(Stage, HasTheBitsOfAThreadForEachRow) {
  std::vector<long long> bounds = {0};
  for (int i = 0; i < 32; ++i) bounds.push_back(bounds.back() + i * 7 % 45);
  const auto rows = rows_of(bounds);
  const auto values = values_of(bounds.back());

  for (const unsigned room : {2000U, 200U, 44U, 16U}) {
    EXPECT_EQ(staged_sums(rows, values, room), own_sums(rows, values)) << room;
  }
}

TEST(Stage, ServesAWarpOfWhichFewLanesHaveARow) {
  const auto rows = rows_of({0, 20, 20, 60});
  const auto values = values_of(60);

  EXPECT_EQ(staged_sums(rows, values, 64), own_sums(rows, values));
  EXPECT_EQ(staged_sums(rows, values, 8), own_sums(rows, values));
}

TEST(Stage, TakesRowsOutOfOrderOneByOne) {
  const auto rows = rows_of({0, 30, 10, 40, 40, 5, 90});
  const auto values = values_of(90);

  EXPECT_EQ(staged_sums(rows, values, 64), own_sums(rows, values));
}

}  // namespace
}  // namespace gyre
