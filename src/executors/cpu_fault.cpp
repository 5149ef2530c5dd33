#include "cpu_fault.hpp"

#include "cpu_machine.hpp"
#include "gyre/ir/fault_text.hpp"

namespace gyre::executors::cpu {
Ending out_of_bounds(const std::string& name, const std::vector<std::int64_t>& index,
                     const BoundBuffer& buffer) {
  return {ir::Status::Fault, ir::FaultKind::OutOfBounds,
          ir::out_of_bounds_text(name, index, buffer.type, buffer.extents)};
}

Ending zero_step() {
  return {ir::Status::Fault, ir::FaultKind::ZeroStep, ir::zero_step_text()};
}

Ending broken_promise(const std::string& name, const std::vector<std::int64_t>& index) {
  return {ir::Status::Fault, ir::FaultKind::BrokenPromise, ir::broken_promise_text(name, index)};
}

bool PromiseWatch::load_breaks(ir::SymbolId buffer, std::int64_t at) {
  Visitors& seen = seen_[static_cast<std::uint32_t>(buffer)][at];
  if (seen.reader != linear_) seen.reader = seen.reader == nobody ? linear_ : several;
  return seen.writer != nobody && seen.writer != linear_;
}

bool PromiseWatch::store_breaks(ir::SymbolId buffer, std::int64_t at) {
  Visitors& seen = seen_[static_cast<std::uint32_t>(buffer)][at];
  const bool written = seen.writer != nobody && seen.writer != linear_;
  const bool read = seen.reader != nobody && seen.reader != linear_;
  seen.writer = linear_;
  return written || read;
}

}  // namespace gyre::executors::cpu
