#include "gyre/ir/call_context.hpp"

#include "gyre/base/error.hpp"

#include <new>

namespace gyre::ir {
namespace {

constexpr std::align_val_t alignment{256};

}  // namespace

void HostCallMemory::Free::operator()(void* memory) const {
  ::operator delete(memory, alignment);
}

void* HostCallMemory::take(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  return blocks_.emplace_back(::operator new(bytes, alignment)).get();
}

void* DeviceCallContext::take(std::size_t bytes) const {
  GYRE_CHECK(memory != nullptr, "a call was handed no memory for its temporaries");
  return memory->take(bytes);
}

}  // namespace gyre::ir
