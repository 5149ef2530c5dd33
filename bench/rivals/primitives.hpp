/// Scans, sorts and selections by CUB, as its users call them: what gyre's primitives are compared
/// with.
#pragma once

#include "support/device_array.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace gyre::bench::rivals {

/// Where all ways read from and write to.
struct Lists {
  DeviceArray<float> x;
  DeviceArray<std::int32_t> key;
  DeviceArray<float> y;
  DeviceArray<std::int32_t> indices;
  DeviceArray<std::int32_t> counts;
  DeviceArray<float> best;
  DeviceArray<std::int32_t> at;
};

/// Puts the work of a primitive on a stream; its temporaries are there already.
using PutWork = std::function<void(cudaStream_t)>;

/// The work of `scan`, `sort`, `sort by key`, `compact`, `topk`, `histogram` or `reduce by key` of
/// all of `lists`, by CUB. A topk is a sort of all values with their indices, of which the first
/// are copied: CUB has none of this toolkit's.
PutWork make_cub_work(const std::string& primitive, Lists& lists);

/// Puts a kernel on a stream that does nothing for 200 microseconds: what the host puts there
/// meanwhile waits for no host.
void put_pause(cudaStream_t stream);

}  // namespace gyre::bench::rivals
