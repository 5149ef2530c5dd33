/// Buffers that an executable keeps where it runs (Executable::keep), and looks into them.
#pragma once

#include "gyre/executors/executor.hpp"
#include "gyre/ir/program.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

class KeptBuffers {
 public:
  /// `symbols` outlive it.
  explicit KeptBuffers(std::span<const ir::Symbol> symbols) : symbols_(symbols) {}

  /// Memory for a buffer, to be bound under that edition. It serves where runs work on the host's;
  /// elsewhere it stands for memory of the executor's own. What was made for that buffer before
  /// goes, unless this throws.
  ir::BufferView make(std::string_view buffer, std::vector<std::int64_t> extents,
                      std::uint64_t edition);
  /// That other memory is bound to the buffer. What was made stays, since a run may be under way.
  void forget(std::string_view buffer);
  /// That a launch has started with what is bound now.
  void launched();
  /// Copies its elements from number `first` on, as they are now. UsageError where it is not kept,
  /// is of another type or has not so many.
  void peek(std::string_view buffer, std::int64_t first, ir::ScalarType type,
            std::span<std::byte> to, executors::Executor& executor) const;

 private:
  std::span<const ir::Symbol> symbols_;
  struct Kept {
    std::vector<std::byte> memory;
    bool is_bound = false;
    /// An executor has been given this memory: what it has is the buffer.
    bool is_launched = false;
  };

  std::map<ir::SymbolId, Kept>::const_iterator find(std::string_view buffer) const;

  std::map<ir::SymbolId, Kept> kept_;
};

}  // namespace gyre
