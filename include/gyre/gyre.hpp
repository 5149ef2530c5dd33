/// Everything that a user of gyre writes programs with, in one include.
#pragma once

#include "gyre/builder/program.hpp"

namespace gyre {

using builder::Buffer;
using builder::CallContext;
using builder::cast;
using builder::constant;
using builder::independent;
using builder::Label;
using builder::Program;
using builder::range;
using builder::reads;
using builder::Scalar;
using builder::scatter;
using builder::select;
using builder::Size;
using builder::updates;
using builder::Value;
using builder::writes;

}  // namespace gyre
