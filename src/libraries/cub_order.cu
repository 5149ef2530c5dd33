// The order of keys: their bits, sorted with their positions.
#include "cub_works.hpp"
#include "gyre/ir/order_bits.hpp"

#include <cstdint>

#include <cub/device/device_radix_sort.cuh>

namespace gyre::libraries {
namespace {

constexpr unsigned threads = 256;

// Places behind the keys that count stand last: behind all other bits, and behind equal ones by
// their positions.
template <class T>
__global__ void number_keys(const T* keys, const std::int64_t* count, ir::KeyOrder order,
                            int places, ir::OrderBits<T>* bits, std::int32_t* positions) {
  const std::int64_t place = std::int64_t{blockIdx.x} * threads + threadIdx.x;
  if (place >= places) return;
  bits[place] = place < *count ? ir::order_bits(order, keys[place]) : ~ir::OrderBits<T>{0};
  positions[place] = static_cast<std::int32_t>(place);
}

template <class T>
void put(ir::KeyOrder order, const ir::DeviceCallContext& context) {
  using Bits = ir::OrderBits<T>;
  const cudaStream_t stream = context.stream;
  const auto places = static_cast<int>(context.arguments[1].element_count());
  if (places == 0) return;
  const auto room = static_cast<std::size_t>(places);
  auto* const result = context.pointer<std::int32_t>(1);
  Bits* const numbered = context.temporary<Bits>(room);
  cub::DoubleBuffer<Bits> bits(numbered, context.temporary<Bits>(room));
  cub::DoubleBuffer<std::int32_t> positions(result, context.temporary<std::int32_t>(room));

  cudaLaunchConfig_t grid = {};
  grid.gridDim = dim3((static_cast<unsigned>(places) + threads - 1) / threads);
  grid.blockDim = dim3(threads);
  grid.stream = stream;
  must(cudaLaunchKernelEx(&grid, number_keys<T>, context.pointer<const T>(0),
                          context.pointer<const std::int64_t>(2), order, places, numbered, result),
       "numbering the keys of a sort");
  put_algorithm(context, "cub::DeviceRadixSort::SortPairs",
                [&](void* storage, std::size_t& bytes, cudaStream_t on) {
                  return cub::DeviceRadixSort::SortPairs(storage, bytes, bits, positions, places, 0,
                                                         static_cast<int>(8 * sizeof(Bits)), on);
                });
  // After an odd number of passes what is sorted lies beside the call's argument.
  if (positions.Current() != result) {
    must(cudaMemcpyAsync(result, positions.Current(), room * sizeof(std::int32_t),
                         cudaMemcpyDeviceToDevice, stream),
         "copying the order of a sort");
  }
}

}  // namespace

void put_order(ir::ScalarType type, ir::KeyOrder order, const ir::DeviceCallContext& context) {
  switch (type) {
    case ir::ScalarType::I32: return put<std::int32_t>(order, context);
    case ir::ScalarType::I64: return put<std::int64_t>(order, context);
    case ir::ScalarType::F32: return put<float>(order, context);
    default: return put<double>(order, context);
  }
}

}  // namespace gyre::libraries
