#include "gyre/cuda/pointer_facts.hpp"

#include "gyre/base/host_memory.hpp"
#include "gyre/cuda/check.hpp"

#include <iterator>

namespace gyre::cuda {
namespace {

/// What the driver says of an address, in one call; all 0 where it does not know it.
struct Attributes {
  CUmemorytype type{};
  unsigned managed = 0;
  int device = -1;
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  unsigned long long allocation = 0;
};

Attributes read_attributes(CUdeviceptr address) {
  Attributes read;
  CUpointer_attribute wanted[] = {
      CU_POINTER_ATTRIBUTE_MEMORY_TYPE,    CU_POINTER_ATTRIBUTE_IS_MANAGED,
      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
      CU_POINTER_ATTRIBUTE_RANGE_SIZE,     CU_POINTER_ATTRIBUTE_BUFFER_ID};
  void* places[] = {&read.type,  &read.managed, &read.device,
                    &read.begin, &read.bytes,   &read.allocation};
  const CUresult result = loaded_driver().cuPointerGetAttributes(
      static_cast<unsigned>(std::size(wanted)), wanted, places, address);
  // Memory of the host that no context knows is one of these to some drivers.
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_INVALID_CONTEXT) return {};
  check(result, "cuPointerGetAttributes");
  return read;
}

MemoryKind kind_of(const Attributes& attributes, CUdeviceptr address) {
  if (attributes.managed != 0) return MemoryKind::Managed;
  switch (attributes.type) {
    case CU_MEMORYTYPE_HOST: return MemoryKind::Pinned;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: return MemoryKind::Device;
    default: return host_can_read(address) ? MemoryKind::Pageable : MemoryKind::None;
  }
}

}  // namespace

PointerFacts pointer_facts(CUdeviceptr address) {
  const Attributes attributes = read_attributes(address);
  PointerFacts facts{.kind = kind_of(attributes, address)};
  if (facts.kind == MemoryKind::Pageable || facts.kind == MemoryKind::None) return facts;

  facts.allocation = attributes.allocation;
  if (facts.kind != MemoryKind::Pinned) facts.device = attributes.device;
  // Imported memory may have no known range.
  const bool within = attributes.begin <= address && address - attributes.begin < attributes.bytes;
  if (within) {
    facts.bytes_left = attributes.bytes - static_cast<std::size_t>(address - attributes.begin);
  }
  return facts;
}

}  // namespace gyre::cuda
