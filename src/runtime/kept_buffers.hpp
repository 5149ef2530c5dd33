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
  /// elsewhere it stands for memory of the executor's own.
  ir::BufferView make(std::string_view buffer, std::vector<std::int64_t> extents,
                      std::uint64_t edition);
  /// Copies its elements from number `first` on, as they are now. UsageError where it is not kept,
  /// is of another type or has not so many.
  void peek(std::string_view buffer, std::int64_t first, ir::ScalarType type,
            std::span<std::byte> to, executors::Executor& executor) const;

 private:
  std::span<const ir::Symbol> symbols_;
  std::map<ir::SymbolId, std::vector<std::byte>> memory_;
};

}  // namespace gyre
