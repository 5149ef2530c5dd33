/// Programs on the cpu executor: runs them, and compares what they leave with the interpreter.
#pragma once

#include "gyre/executors/cpu.hpp"
#include "support/owned_arguments.hpp"
#include "support/same_run.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::executors {

using ir::ScalarType;
using support::OwnedArguments;
using Ran = support::Run;

std::shared_ptr<const plan::Plan> lower(const ir::Program& program);

Ran run_on_cpu(const ir::Program& program, const OwnedArguments& start, int threads,
               const ir::RunOptions& options = {});

/// Runs the program of `text` on 1, 2 and 7 threads, compares with the interpreter, and returns
/// what that left.
Ran expect_as_interpreted(std::string_view text, const OwnedArguments& start,
                          const ir::RunOptions& options = {});

/// Adds a buffer of values between -8 and 8, the same every time.
void add_filled(OwnedArguments& data, const std::string& name, ScalarType type,
                std::vector<std::int64_t> extents);
OwnedArguments with_buffer(const std::string& name, ScalarType type,
                           std::vector<std::int64_t> extents);

/// A matrix in CSR (row, col, val), whose rows have the given lengths, and x and y for `spmv`.
OwnedArguments matrix(const std::vector<std::int32_t>& lengths, std::int32_t columns);

inline constexpr std::string_view spmv =
    "program p(n: size, m: size, nnz: size) {\n"
    "in row: i32[n + 1], col: i32[nnz], val: f64[nnz], x: f64[m]\n out y: f64[n]\n"
    "foreach i in 0..n { y[i] = sum(k in row[i]..row[i + 1]) val[k] * x[col[k]] } }";

}  // namespace gyre::executors
