/// What methods and preconditioners set up on the host when a solver takes its matrix.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/incomplete_factors.hpp"
#include "gyre/solvers/level_schedule.hpp"
#include "gyre/solvers/matrix.hpp"
#include "gyre/solvers/preconditioners.hpp"
#include "gyre/solvers/smoothed_aggregation.hpp"

#include <memory>
#include <string_view>

namespace gyre::solvers {

struct HostSetup {
  /// Of amg.
  std::shared_ptr<const Multigrid> multigrid;
  /// Of ilu0 and ic0.
  std::shared_ptr<const IncompleteFactors> factors;
  /// Of gauss_seidel and ssor.
  std::shared_ptr<const LevelSchedule> colours;
};

/// UsageError where the matrix cannot be looked at on the host, or is none of the kind.
HostSetup set_up(const Matrix& matrix, std::string_view method, Preconditioner preconditioner);

/// Binds `setup` to a program that was made for it. It must outlive the executable's runs.
void bind(Executable& executable, const HostSetup& setup);

/// Whether a program that was made for `one` can be bound to `other`, of the same method.
bool have_one_program(const HostSetup& one, const HostSetup& other);

}  // namespace gyre::solvers
