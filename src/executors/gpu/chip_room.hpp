/// What of a resident loop lies on the chip: in its owners' registers, and in shared memory.
#pragma once

#include "gyre/cuda/device_facts.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/jit/resident_shape.hpp"
#include "gyre/plan/kept_rows.hpp"
#include "gyre/plan/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <map>

namespace gyre::executors {

class ChipRoom {
 public:
  ChipRoom(const plan::Plan& plan, const plan::WhileNode& loop, const ir::Bound& bound,
           const cuda::DeviceFacts& device)
      : plan_(plan), loop_(loop), bound_(bound), device_(device) {}

  /// Chooses what owners keep, for the threads and strands of `shape`.
  void keep_in_registers(jit::ResidentShape& shape) const;
  /// Chooses what each block keeps of the rest; what the loop stores only if it says so.
  void keep_in_shared(jit::ResidentShape& shape, bool what_is_stored) const;
  /// Chooses the rows of which each block keeps those of its own points in what room is left.
  void keep_rows(jit::ResidentShape& shape) const;

  /// Of how many elements of each buffer of these rows a block has room for what is its own, and
  /// what part of it that is.
  struct RowRoom {
    unsigned elements = 0;
    double part = 0;
  };
  std::map<std::uint32_t, RowRoom> room_for_rows(const jit::ResidentShape& shape) const;
  /// Whether there is room for all rows that the loop goes through, if they are alike. Long rows
  /// that threads read where they are lie far apart, and what is left of the cache is little.
  bool holds_all_rows(const jit::ResidentShape& shape) const;
  /// Whether what folds take of it is as much as a kernel may declare.
  bool has_room_for_folds(const jit::ResidentShape& shape) const;
  /// All shared memory that a launch asks for.
  unsigned shared_bytes(const jit::ResidentShape& shape) const;

  /// Whether all that the loop stores lies on the chip, or is worked on in parts, of which one of
  /// `points` points stores little.
  bool is_near_one_block(const jit::ResidentShape& shape, long long points) const;

 private:
  bool is_peeked_at(ir::SymbolId buffer) const;
  /// Whether owners may have what of it is their own in registers.
  bool may_be_kept(ir::SymbolId buffer, const plan::Sweep& owners) const;
  /// Whether each point has an element.
  bool has_elements_for(ir::SymbolId buffer, const plan::Sweep& owners) const;
  /// The shared memory that is left for buffers and rows, and what the buffers take.
  std::size_t room_for_buffers(const jit::ResidentShape& shape) const;
  std::size_t bytes_of_buffers(const jit::ResidentShape& shape) const;
  bool have_bounds(const plan::KeptRows& rows) const;

  const plan::Plan& plan_;
  const plan::WhileNode& loop_;
  const ir::Bound& bound_;
  const cuda::DeviceFacts& device_;
};

}  // namespace gyre::executors
