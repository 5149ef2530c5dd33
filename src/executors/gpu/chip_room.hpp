/// What of a resident loop lies on the chip: in its owners' registers, and in shared memory.
#pragma once

#include "gyre/cuda/device_facts.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/jit/resident_shape.hpp"
#include "gyre/plan/plan.hpp"

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
  /// Whether all that the loop stores lies on the chip, or is worked on in parts, of which one of
  /// `points` points stores little.
  bool is_near_one_block(const jit::ResidentShape& shape, long long points) const;

 private:
  bool is_peeked_at(ir::SymbolId buffer) const;

  const plan::Plan& plan_;
  const plan::WhileNode& loop_;
  const ir::Bound& bound_;
  const cuda::DeviceFacts& device_;
};

}  // namespace gyre::executors
