/// What a solve is told, as every program of a method takes it.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/options.hpp"

#include <cstdint>

namespace gyre::solvers {

/// The most vectors of a cycle of gmres, and rows of a block: more than any memory has room for.
constexpr std::int64_t most_restart = 1'000'000;
constexpr std::int64_t most_block_size = 1'000'000;
/// The most steps of the preconditioner chebyshev: each is a kernel of every trip.
constexpr std::int64_t most_degree = 1'000;

/// UsageError for an option out of its range. A count, of that name, goes from 1 to `most`.
void verify_count(const char* name, std::int64_t value, std::int64_t most);
void verify_options(const SolveOptions& options);
/// Sets what `verify_options` accepts for the launches to come, but for max_seconds: the program
/// knows no clock.
void set_options(Executable& executable, const SolveOptions& options);

}  // namespace gyre::solvers
