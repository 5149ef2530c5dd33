#include "gyre/solvers/incomplete_factors.hpp"

#include "at.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace gyre::solvers {
namespace {

// The places of the factors, with a diagonal in every row.
SparseMatrix pattern_of(const SparseMatrix& a, FactorPattern pattern) {
  const bool is_symmetric = pattern == FactorPattern::Symmetric;
  const SparseMatrix transposed = is_symmetric ? transpose(a) : SparseMatrix{};
  SparseMatrix made{.rows = a.rows, .columns = a.columns};
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::size_t begin = made.col.size();
    made.col.push_back(static_cast<std::int32_t>(i));
    const auto take = [&](const SparseMatrix& from, const auto& wanted) {
      for (std::int32_t k = from.row[at(i)]; k < from.row[at(i + 1)]; ++k) {
        if (wanted(from.col[at(k)])) made.col.push_back(from.col[at(k)]);
      }
    };
    take(a, [&](std::int32_t j) { return j < i || (j > i && !is_symmetric); });
    if (is_symmetric) take(transposed, [&](std::int32_t j) { return j > i; });
    std::sort(made.col.begin() + static_cast<std::ptrdiff_t>(begin), made.col.end());
    if (made.col.size() > at(std::numeric_limits<std::int32_t>::max())) {
      throw UsageError("incomplete factors have more entries than an i32 counts");
    }
    made.row.push_back(static_cast<std::int32_t>(made.col.size()));
  }
  return made;
}

std::int64_t first_without_diagonal(const SparseMatrix& a) {
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const auto row =
        std::span(a.col).subspan(at(a.row[at(i)]), at(a.row[at(i + 1)] - a.row[at(i)]));
    if (std::find(row.begin(), row.end(), i) == row.end()) return i;
  }
  return a.rows;
}

std::vector<std::int32_t> inverse_of(const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<std::int32_t>(k);
  return place;
}

// Rows from `first(i)` up to `end(i)` of the factors' entries.
template <class First, class End>
UnitTriangle triangle(LevelSchedule schedule, const SparseMatrix& pattern, const First& first,
                      const End& end) {
  const std::vector<std::int32_t> place = inverse_of(schedule.order);
  UnitTriangle made;
  for (const std::int32_t i : schedule.order) {
    for (std::int32_t k = first(at(i)); k < end(at(i)); ++k) {
      made.col.push_back(place[at(pattern.col[at(k)])]);
      made.from.push_back(k);
    }
    made.start.push_back(static_cast<std::int32_t>(made.col.size()));
  }
  made.schedule = std::move(schedule);
  return made;
}

}  // namespace

IncompleteFactors lay_out_factors(const SparseMatrix& a, FactorPattern pattern) {
  SparseMatrix places = pattern_of(a, pattern);
  IncompleteFactors made;
  made.row_without_diagonal = first_without_diagonal(a);
  for (std::int64_t i = 0; i < places.rows; ++i) {
    const auto row = places.col.begin();
    const auto diagonal = std::lower_bound(row + places.row[at(i)], row + places.row[at(i + 1)], i);
    made.diagonal.push_back(static_cast<std::int32_t>(diagonal - row));
  }
  made.lower = triangle(
      schedule_below_diagonal(places), places, [&](std::size_t i) { return places.row[i]; },
      [&](std::size_t i) { return made.diagonal[i]; });
  made.upper = triangle(
      schedule_above_diagonal(places), places, [&](std::size_t i) { return made.diagonal[i] + 1; },
      [&](std::size_t i) { return places.row[i + 1]; });
  made.upper_place = inverse_of(made.upper.schedule.order);
  const std::vector<std::int32_t> place = inverse_of(made.lower.schedule.order);
  for (const std::int32_t i : made.upper.schedule.order) made.lower_place.push_back(place[at(i)]);
  made.row = std::move(places.row);
  made.col = std::move(places.col);
  return made;
}

}  // namespace gyre::solvers
