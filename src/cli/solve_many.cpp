#include "solve_many.hpp"

#include "gyre/base/error.hpp"
#include "gyre/io/array_file.hpp"
#include "gyre/solvers/batched_solver.hpp"
#include "gyre/solvers/csr_matrix.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace gyre::cli {
namespace {

using Json = nlohmann::ordered_json;

// Column by column, as a solver takes them; and back.
template <class X>
std::vector<X> by_columns(const io::DenseMatrix& matrix) {
  std::vector<X> all;
  all.reserve(matrix.val.size());
  for (std::int64_t k = 0; k < matrix.cols; ++k) {
    for (std::int64_t i = 0; i < matrix.rows; ++i) {
      all.push_back(static_cast<X>(matrix.val[static_cast<std::size_t>(i * matrix.cols + k)]));
    }
  }
  return all;
}

template <class X>
io::DenseMatrix by_rows(const std::vector<X>& columns, std::int64_t rows, std::int64_t cols) {
  io::DenseMatrix matrix{rows, cols, {}};
  matrix.val.reserve(columns.size());
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t k = 0; k < cols; ++k) {
      matrix.val.push_back(columns[static_cast<std::size_t>(k * rows + i)]);
    }
  }
  return matrix;
}

struct Solved {
  solvers::BatchedResult result;
  std::string executor;
  io::DenseMatrix x;
};

template <class X>
Solved solve_in(const ManySystems& systems) {
  const io::CsrMatrix& matrix = systems.matrix;
  const std::vector<X> val(matrix.val.begin(), matrix.val.end());
  const std::vector<X> b = by_columns<X>(systems.rhs);
  std::vector<X> x(b.size());
  solvers::BatchedOptions options{.method = systems.advice.method,
                                  .preconditioner = systems.advice.preconditioner,
                                  .degree = systems.degree};
  options.compile.executor = systems.executor;
  solvers::BatchedSolver solver(
      solvers::shared_batch(
          solvers::csr_matrix(solvers::BasicCsrView<X>{matrix.rows, matrix.row, matrix.col, val}),
          systems.rhs.cols),
      options);
  auto result = solver.solve(b, x, systems.options);
  return {std::move(result), std::string(solver.executor()),
          by_rows(x, systems.rhs.rows, systems.rhs.cols)};
}

std::string print_method(const ManySystems& systems) {
  const auto kind = systems.advice.preconditioner;
  std::string text = systems.advice.method;
  if (kind != solvers::Preconditioner::None) text += fmt::format(" with {}", name_of(kind));
  if (systems.precision != "f64") text += " in " + systems.precision;
  return text;
}

std::string print_lines(const ManySystems& systems, const Solved& solved) {
  const solvers::BatchedResult& result = solved.result;
  std::string text = fmt::format(
      "matrix      {}: {} rows, {} entries, {}\n"
      "method      {} on {}, {} right-hand sides at once\n"
      "ended       {}\n"
      "time        {:.3e} s\n\n{:>6}  {:<21} {:>10} {:>14}\n",
      systems.name, systems.matrix.rows, systems.matrix.entries(),
      systems.is_symmetric ? "symmetric" : "not symmetric", print_method(systems), solved.executor,
      result.systems(), describe(result), result.seconds, "rhs", "status", "iterations",
      "true residual");
  for (std::int64_t k = 0; k < result.systems(); ++k) {
    const auto one = result.of(k);
    text += fmt::format("{:>6}  {:<21} {:>10} {:>14.3e}\n", k + 1, name_of(one.reason),
                        one.iterations, one.relative_residual);
  }
  return text;
}

std::string print_json(const ManySystems& systems, const Solved& solved) {
  Json all = Json::array();
  for (std::int64_t k = 0; k < solved.result.systems(); ++k) {
    const auto one = solved.result.of(k);
    all.push_back({{"reason", name_of(one.reason)},
                   {"converged", is_converged(one.reason)},
                   {"message", describe(one)},
                   {"iterations", one.iterations},
                   {"restarts", one.restarts},
                   {"residual", one.residual},
                   {"relative_residual", one.relative_residual},
                   {"start_residual", one.start_residual},
                   {"recurrence_residual", one.recurrence_residual}});
  }
  const Json json = {{"matrix", systems.name},
                     {"n", systems.matrix.rows},
                     {"nnz", systems.matrix.entries()},
                     {"symmetric", systems.is_symmetric},
                     {"method", systems.advice.method},
                     {"preconditioner", name_of(systems.advice.preconditioner)},
                     {"precision", systems.precision},
                     {"executor", solved.executor},
                     {"converged", solved.result.converged()},
                     {"seconds", solved.result.seconds},
                     {"host_syncs", solved.result.host_syncs},
                     {"rhs", std::move(all)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

void write_columns(const std::string& path, const io::DenseMatrix& x) {
  const std::array extents = {x.rows, x.cols};
  io::write_array(path, {ir::ScalarType::F64, extents, std::as_bytes(std::span(x.val))});
}

}  // namespace

Exit solve_many(const ManySystems& systems) {
  if (!systems.output.empty()) {
    io::verify_array_path(systems.output, ir::ScalarType::F64, 2);
  }
  const Solved solved =
      systems.precision == "f32" ? solve_in<float>(systems) : solve_in<double>(systems);
  fmt::print("{}",
             systems.json ? print_json(systems, solved) + "\n" : print_lines(systems, solved));
  if (!systems.output.empty()) write_columns(systems.output, solved.x);
  return solved.result.all_converged() ? Exit::Done : Exit::GoalNotReached;
}

}  // namespace gyre::cli
