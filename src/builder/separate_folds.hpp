/// Gives each fold of a built program indices of its own.
///
/// In C++ one expression may be used twice; its folds then stand twice in the program, and in an IR
/// an index belongs to one fold.
#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::builder {

ir::Program separate_folds(ir::Program program);

}  // namespace gyre::builder
