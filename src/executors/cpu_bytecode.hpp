/// What a kernel becomes on the cpu: typed register code that runs over a block of lanes at a time.
///
/// A lane is one point of a sweep, or one term of an inner fold. A context is a set of lanes: the
/// block of points, or the terms of one fold. Every register belongs to one context, or to all of
/// them where its value is the same for every lane of a launch. Leaves out how code is made
/// (cpu_compile.hpp) and run (cpu_machine.hpp).
#pragma once

#include "gyre/ir/expr.hpp"
#include "gyre/plan/statement.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gyre::executors::cpu {

class Machine;
struct Context;
struct Lanes;
struct FoldTable;
struct Instr;

using RegId = std::uint32_t;
inline constexpr RegId no_register = ~RegId{0};

/// Registers of this context hold one value for all lanes everywhere.
inline constexpr std::uint32_t every_context = ~std::uint32_t{0};

/// Runs one instruction on the active lanes of a context. Lanes that fault are marked there.
using Run = void (*)(Machine&, Context&, const Instr&, const Lanes&);

struct Instr {
  Run run = nullptr;
  RegId out = no_register;
  std::array<RegId, 3> in = {no_register, no_register, no_register};
  /// Which entry of the side table that `run` knows.
  std::uint32_t side = 0;
};

using Code = std::vector<Instr>;

struct RegisterInfo {
  ir::ScalarType type;
  std::uint32_t context;
};

/// A register that points at memory which outlives every launch.
struct Preset {
  RegId reg;
  /// The slot or size that it reads; else the constant.
  bool is_symbol;
  ir::SymbolId symbol;
  std::uint64_t constant;
};

/// Where a statement stands, for the order of faults and their region. Statement 0 of region 0 is
/// the sweep itself, which stands before all that its points do.
struct Site {
  std::uint32_t statement;
  std::uint32_t region;
};

/// An element that is loaded or stored.
struct Access {
  ir::SymbolId buffer;
  std::vector<RegId> index;
  /// The code stores nowhere to this buffer: a register may point into it.
  bool stable = false;
  Site site;
};

struct Branch {
  Code then;
  Code otherwise;
};

/// A loop within a lane. `Repeat` tests `condition` after running `test`; a counted loop has the
/// registers of its range instead.
struct Loop {
  Code test;
  RegId condition = no_register;
  Code body;
  bool test_last = false;
  RegId limit = no_register;
  RegId begin = no_register;
  RegId end = no_register;
  RegId step = no_register;
  RegId index = no_register;
  /// An i64: how many trips a lane's range has.
  RegId count = no_register;
  Site site;
};

struct FoldRange {
  RegId begin;
  RegId end;
  /// no_register: 1.
  RegId step;
  /// In the fold's own context.
  RegId index;
};

/// A fold within a lane: its terms, concatenated over the lanes, are the lanes of `context`.
struct FoldCode {
  const FoldTable* table;
  std::vector<FoldRange> ranges;
  std::uint32_t context;
  Code body;
  RegId operand;
  /// Where the operand is a product of two: the other one.
  RegId factor;
  /// Of the operand's type, in `context`: for terms that no other register holds one by one.
  RegId spread;
};

/// Where the lanes of a sweep leave their terms of a reduction. A lane that comes by again adds to
/// its term; `reached` then says whether it did.
struct Contribution {
  std::uint32_t reduction;
  RegId term;
  RegId reached = no_register;
};

/// A compiled body: the sweep of a kernel, or a step of scalar work (a sweep of one point).
struct Body {
  std::vector<RegisterInfo> registers;
  /// The parent of each context; the first is the root.
  std::vector<std::uint32_t> parents;
  std::vector<Preset> presets;
  /// Runs once a launch: what is the same for all lanes.
  Code preamble;
  Code code;

  std::vector<Access> accesses;
  std::vector<Branch> branches;
  std::vector<Loop> loops;
  std::vector<Site> step_checks;
  std::vector<FoldCode> folds;
  std::vector<std::string> regions;

  /// The sweep's index at each dimension, in the root context.
  std::vector<RegId> indices;
  std::vector<Contribution> contributions;
  /// The registers that hold the values of `compile_scalars`.
  std::vector<RegId> results;
};

}  // namespace gyre::executors::cpu
