#include "check_memory.hpp"

#include "gyre/base/error.hpp"

#include <cstddef>
#include <string>

namespace gyre::executors {
namespace {

using cuda::MemoryKind;

std::string buffer_of(const ir::Symbol& symbol) {
  return "buffer '" + symbol.name + "'";
}

}  // namespace

void check_memory(const ir::Symbol& symbol, const ir::BufferView& view,
                  const cuda::PointerFacts& facts, int device) {
  const std::size_t bytes = static_cast<std::size_t>(view.element_count()) * ir::size_of(view.type);
  if (bytes == 0) return;

  if (facts.kind == MemoryKind::None) {
    throw UsageError("the memory of " + buffer_of(symbol) +
                     " is neither a GPU's nor the host's; it was freed, or never allocated");
  }
  // Managed memory moves to whoever touches it.
  if (facts.kind == MemoryKind::Device && facts.device != device) {
    throw UsageError("the memory of " + buffer_of(symbol) + " lies on device " +
                     std::to_string(facts.device) + ", and the program runs on device " +
                     std::to_string(device));
  }
  if (facts.bytes_left != 0 && facts.bytes_left < bytes) {
    throw UsageError(buffer_of(symbol) + " is " + ir::shape_text(view.type, view.extents) +
                     " and takes " + std::to_string(bytes) +
                     " bytes, but the allocation bound to it ends after " +
                     std::to_string(facts.bytes_left));
  }
}

void check_allocation(const ir::Symbol& symbol, const cuda::PointerFacts& bound,
                      const cuda::PointerFacts& now) {
  if (bound.kind == now.kind && bound.allocation == now.allocation) return;
  throw UsageError("the memory of " + buffer_of(symbol) +
                   " was given back since it was bound, and its address belongs to another "
                   "allocation now; bind the buffer again");
}

}  // namespace gyre::executors
