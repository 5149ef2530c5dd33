#include "gyre/cuda/pointer_facts.hpp"

#include "gyre/cuda/check.hpp"

namespace gyre::cuda {
namespace {

MemoryKind kind_of(CUdeviceptr address) {
  const Driver& driver = loaded_driver();
  CUmemorytype type{};
  const auto result =
      driver.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
  // The driver calls a pointer that it does not know an invalid value.
  if (result == CUDA_ERROR_INVALID_VALUE) return MemoryKind::Pageable;
  check(result, "cuPointerGetAttribute");

  unsigned managed = 0;
  check(driver.cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address),
        "cuPointerGetAttribute");
  if (managed != 0) return MemoryKind::Managed;
  return type == CU_MEMORYTYPE_HOST ? MemoryKind::Pinned : MemoryKind::Device;
}

}  // namespace

PointerFacts pointer_facts(CUdeviceptr address) {
  PointerFacts facts{.kind = kind_of(address)};
  if (facts.kind != MemoryKind::Device && facts.kind != MemoryKind::Managed) return facts;

  GYRE_CUDA_CALL(
      cuPointerGetAttribute(&facts.device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  // Memory from elsewhere (virtual memory management, imported) may have no known range.
  if (loaded_driver().cuMemGetAddressRange(&begin, &bytes, address) == CUDA_SUCCESS) {
    facts.bytes_left = bytes - static_cast<std::size_t>(address - begin);
  }
  return facts;
}

}  // namespace gyre::cuda
