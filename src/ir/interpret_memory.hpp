/// What a run of the interpreter holds: the value of each scalar, the memory of each buffer, and
/// how a run ends before its program does.
#pragma once

#include "gyre/ir/bind.hpp"
#include "gyre/ir/outcome.hpp"
#include "gyre/ir/program.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gyre::ir {

/// Thrown where the run (or one index of a foreach) ends early; becomes part of its Outcome.
struct Ending {
  Status status = Status::Completed;
  FaultKind fault = FaultKind::None;
  std::string region = {};
  std::string label = {};
  std::int64_t code = 0;
  std::string detail = {};
};

/// Watches a checked foreach for two indices that meet at one element.
class PromiseWatch {
 public:
  /// With `reads` also an element that one index reads and another writes counts as broken.
  explicit PromiseWatch(bool reads) : reads_(reads) {}

  void start_index(std::int64_t linear) { linear_ = linear; }
  /// Whether this access breaks the promise.
  bool load_breaks(SymbolId buffer, std::int64_t at);
  bool store_breaks(SymbolId buffer, std::int64_t at);

 private:
  static constexpr std::int64_t nobody = -1;
  static constexpr std::int64_t several = -2;
  struct Visitors {
    std::int64_t writer = nobody;
    std::int64_t reader = nobody;
  };

  bool reads_;
  std::int64_t linear_ = 0;
  std::map<std::pair<SymbolId, std::int64_t>, Visitors> seen_;
};

/// The memory of one run.
class Memory {
 public:
  /// Starts from what the caller bound: `out` objects are zero.
  Memory(const Program& program, Bound bound);

  Value& value(SymbolId id) { return bound_.values[static_cast<std::size_t>(id)]; }
  const BufferView& buffer(SymbolId id) const { return bound_.buffer(id); }
  const Symbol& symbol(SymbolId id) const { return program_[id]; }
  /// Gives a `temp` its storage at its first entry and zeroes it at each.
  void enter_temp(SymbolId id);
  /// The values of `out` and `inout` scalars.
  std::map<std::string, Value> results() const;

 private:
  const Program& program_;
  Bound bound_;
  std::map<SymbolId, std::vector<std::max_align_t>> temps_;
};

}  // namespace gyre::ir
