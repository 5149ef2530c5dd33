/// What `gyre run` binds: the words of its command line, read by the types and shapes that the
/// program declares.
///
/// Leaves out which name goes with which option (run_words.hpp), and launching (run.cpp).
#pragma once

#include "gyre/io/array_data.hpp"
#include "gyre/ir/program.hpp"
#include "gyre/ir/value.hpp"
#include "run_words.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gyre::cli {

/// A buffer of the caller's, with the memory that the run reads and writes.
struct RunBuffer {
  std::string name;
  ir::Intent intent = ir::Intent::In;
  io::ArrayData array;
  /// Where to write it after the run; empty: nowhere.
  std::string file;
};

struct RunArguments {
  std::map<std::string, std::int64_t> sizes;
  std::map<std::string, ir::Value> scalars;
  std::vector<RunBuffer> buffers;
};

/// Reads the inputs of a verified program and makes room for its outputs. Sizes that are not given
/// follow from inputs whose files have a shape, or are one row of a buffer of one dimension. Throws
/// UsageError that names what is unknown, misfits or is missing.
RunArguments make_run_arguments(const ir::Program& program, const RunWords& words);

}  // namespace gyre::cli
