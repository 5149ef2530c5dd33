/// Random programs that the verifier accepts, with data to run them on.
///
/// They use every statement and every exact operator; loops end after few trips, and a few programs
/// reach a trip limit or fault. Leaves out calls and inexact functions, whose bits nobody promises.
#pragma once

#include "gyre/ir/program.hpp"
#include "support/owned_arguments.hpp"

#include <cstdint>

namespace gyre::support {

struct RandomProgram {
  ir::Program program;
  OwnedArguments data;
};

/// The program of `seed`: the same on every machine.
RandomProgram random_program(std::uint64_t seed);

}  // namespace gyre::support
