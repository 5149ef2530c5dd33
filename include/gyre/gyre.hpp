/// Everything that a user of gyre needs to write a program, as C++ or as text, and to run it.
///
/// Leaves out what stands beside that road: solvers/, io/, and the rooms that tools look into.
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/builder/program.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/runtime/input_ring.hpp"
#include "gyre/text/parser.hpp"

namespace gyre {

using builder::Buffer;
using builder::CallContext;
using builder::cast;
using builder::constant;
using builder::descending;
using builder::exclusive;
using builder::FoldOp;
using builder::HostCallContext;
using builder::independent;
using builder::Label;
using builder::Program;
using builder::range;
using builder::reads;
using builder::Scalar;
using builder::scatter;
using builder::select;
using builder::Size;
using builder::smallest;
using builder::Team;
using builder::updates;
using builder::Value;
using builder::writes;

using ir::Status;
using text::parse_program;

}  // namespace gyre
