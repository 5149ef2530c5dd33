#include "cpu_fault.hpp"

#include "cpu_machine.hpp"

namespace gyre::executors::cpu {
namespace {

std::string list_of(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return text;
}

}  // namespace

Ending out_of_bounds(const std::string& name, const std::vector<std::int64_t>& index,
                     const BoundBuffer& buffer) {
  return {ir::Status::Fault, ir::FaultKind::OutOfBounds,
          name + "[" + list_of(index) + "] is outside " + std::string(name_of(buffer.type)) + "[" +
              list_of(buffer.extents) + "]"};
}

Ending zero_step() {
  return {ir::Status::Fault, ir::FaultKind::ZeroStep, "the step is 0"};
}

Ending broken_promise(const std::string& name, const std::vector<std::int64_t>& index) {
  return {ir::Status::Fault, ir::FaultKind::BrokenPromise,
          "two indices meet at " + name + "[" + list_of(index) + "], which one of them writes"};
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
