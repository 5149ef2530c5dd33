/// Batches of systems for the tests of batched solvers, and what to compare solves by.
#pragma once

#include "gyre/executors/make_executor.hpp"
#include "gyre/solvers/batched_solver.hpp"
#include "support/owned_arguments.hpp"
#include "systems.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::solvers {

/// Systems of one size, by rows and all entries: one behind the other.
template <class X>
struct Systems {
  std::int64_t n = 0;
  std::vector<X> val = {};
  std::vector<X> b = {};
  /// Where each solve starts.
  std::vector<X> x = {};

  std::int64_t count() const { return static_cast<std::int64_t>(b.size()) / n; }

  void add(const std::vector<double>& matrix, const std::vector<double>& rhs,
           const std::vector<double>& start = {}) {
    val.insert(val.end(), matrix.begin(), matrix.end());
    b.insert(b.end(), rhs.begin(), rhs.end());
    if (start.empty()) {
      x.resize(b.size());
    } else {
      x.insert(x.end(), start.begin(), start.end());
    }
  }

  BasicDenseBatch<X> dense(Layout layout = Layout::Rows) const { return {count(), n, val, layout}; }
  Systems only(std::int64_t system) const {
    const auto part = [&](const std::vector<X>& all, std::int64_t each) {
      return std::vector<X>(all.begin() + system * each, all.begin() + (system + 1) * each);
    };
    return {n, part(val, n * n), part(b, n), part(x, n)};
  }
};

/// The pattern that all matrices of some systems have, with the values of each.
template <class X>
struct Pattern {
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col = {};
  std::vector<X> val = {};

  /// An entry is of the pattern where it is not 0 in one system.
  explicit Pattern(const Systems<X>& all) {
    const auto at = [&](std::int64_t s, std::int64_t i, std::int64_t j) {
      return all.val[static_cast<std::size_t>((s * all.n + i) * all.n + j)];
    };
    for (std::int64_t i = 0; i < all.n; ++i) {
      for (std::int64_t j = 0; j < all.n; ++j) {
        bool is_stored = false;
        for (std::int64_t s = 0; s < all.count(); ++s) is_stored = is_stored || at(s, i, j) != 0;
        if (is_stored) col.push_back(static_cast<std::int32_t>(j));
      }
      row.push_back(static_cast<std::int32_t>(col.size()));
    }
    for (std::int64_t s = 0; s < all.count(); ++s) {
      for (std::int64_t i = 0; i < all.n; ++i) {
        for (auto k = row[static_cast<std::size_t>(i)]; k < row[static_cast<std::size_t>(i + 1)];
             ++k) {
          val.push_back(at(s, i, col[static_cast<std::size_t>(k)]));
        }
      }
    }
  }
  BasicCsrBatch<X> csr(const Systems<X>& all) const { return {all.count(), all.n, row, col, val}; }
};

/// A matrix with its zeros, row by row.
inline Values all_entries(const io::CsrMatrix& matrix) {
  Values val(static_cast<std::size_t>(matrix.rows * matrix.rows));
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (auto k = matrix.row[static_cast<std::size_t>(i)];
         k < matrix.row[static_cast<std::size_t>(i + 1)]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      val[static_cast<std::size_t>(i * matrix.rows + matrix.col[at])] = matrix.val[at];
    }
  }
  return val;
}

/// 2 + shift on the diagonal and -1 beside it, each row and column scaled by up to `contrast`.
inline Values chain(std::int64_t n, double shift, double contrast) {
  Values val(static_cast<std::size_t>(n * n));
  const auto scale = [&](std::int64_t i) {
    return std::exp2(std::log2(contrast) * static_cast<double>(i * 37 % n) /
                     static_cast<double>(n));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (const std::int64_t j : {i - 1, i, i + 1}) {
      if (j < 0 || j >= n) continue;
      val[static_cast<std::size_t>(i * n + j)] = (i == j ? 2 + shift : -1) * scale(i) * scale(j);
    }
  }
  return val;
}

/// A batch's solve and the x that it leaves.
template <class X>
struct BatchSolved {
  BatchedResult result;
  std::vector<X> x;

  std::vector<X> x_of(std::int64_t system) const {
    const auto n = static_cast<std::ptrdiff_t>(x.size()) / result.systems();
    return {x.begin() + system * n, x.begin() + (system + 1) * n};
  }
};

template <class X>
BatchSolved<X> solve(BatchedSolver& solver, const Systems<X>& systems,
                     const SolveOptions& options = {}) {
  BatchSolved<X> solved{{}, systems.x};
  solved.result = solver.solve(systems.b, solved.x, options);
  return solved;
}

/// The bits of values; every NaN counts as one.
template <class X>
std::vector<std::uint64_t> bits_of(const std::vector<X>& values) {
  std::vector<std::uint64_t> bits;
  for (const X value : values) {
    bits.push_back(std::isnan(value) ? ~0ULL : std::bit_cast<std::uint64_t>(double{value}));
  }
  return bits;
}

/// That system `s` of a batch became what it becomes in `alone`, a batch of it.
template <class X>
void expect_as_alone(const BatchSolved<X>& batch, std::int64_t s, const BatchSolved<X>& alone) {
  const SolveResult in_batch = batch.result.of(s);
  const SolveResult by_itself = alone.result.of(0);
  EXPECT_EQ(name_of(in_batch.reason), name_of(by_itself.reason));
  EXPECT_EQ(in_batch.iterations, by_itself.iterations);
  EXPECT_EQ(in_batch.restarts, by_itself.restarts);
  EXPECT_EQ(in_batch.row, by_itself.row);
  EXPECT_EQ(bits_of<double>({in_batch.residual, in_batch.relative_residual,
                             in_batch.recurrence_residual, in_batch.start_residual}),
            bits_of<double>({by_itself.residual, by_itself.relative_residual,
                             by_itself.recurrence_residual, by_itself.start_residual}));
  EXPECT_EQ(bits_of(batch.x_of(s)), bits_of(alone.x));
}

/// Gives a batch's program room for what it says of each of `systems`.
inline support::OwnedArguments& with_results(support::OwnedArguments& given, std::size_t systems) {
  for (const char* name : {"residual_of", "relative_of", "start_residual_of", "recurrence_of"}) {
    given.with(name, Values(systems));
  }
  for (const char* name : {"trips_of", "restarts_of", "unusable_row_of"}) {
    given.with(name, std::vector<std::int64_t>(systems));
  }
  return given.with("reason_of", std::vector<std::int32_t>(systems));
}

/// The executors of this machine.
inline std::vector<std::string> executors_here() {
  std::vector<std::string> names;
  for (const auto& info : executors::available_executors()) {
    if (info.available) names.emplace_back(info.name);
  }
  return names;
}

/// Batches that the executor of its name runs.
class BatchedOn : public testing::TestWithParam<std::string> {
 protected:
  static BatchedOptions by(const std::string& method,
                           Preconditioner preconditioner = Preconditioner::None) {
    BatchedOptions options{.method = method, .preconditioner = preconditioner};
    options.compile.executor = GetParam();
    return options;
  }

  static BatchSolved<double> run(const Systems<double>& systems, const BatchedOptions& options,
                                 const SolveOptions& told = {}) {
    BatchedSolver solver(dense_batch(systems.dense()), options);
    return solve(solver, systems, told);
  }
};

}  // namespace gyre::solvers
