/// What clears and copies look like as graph nodes.
#pragma once

#include "gyre/cuda/memory.hpp"

namespace gyre::cuda {

inline CUDA_MEMSET_NODE_PARAMS clear_params(DeviceView memory) {
  CUDA_MEMSET_NODE_PARAMS params{};
  params.dst = memory.address;
  params.elementSize = 1;
  params.width = memory.bytes;
  params.height = 1;
  return params;
}

/// Unified: the driver finds out on which side each address lies.
inline CUDA_MEMCPY3D copy_params(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = from;
  copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.dstDevice = to;
  copy.WidthInBytes = bytes;
  copy.Height = 1;
  copy.Depth = 1;
  return copy;
}

}  // namespace gyre::cuda
