// Sums of integers: they wrap, so that every order of adding them up has the same bits.
#include "cub_works.hpp"

#include <cstdint>

#include <cub/device/device_scan.cuh>

namespace gyre::libraries {
namespace {

// In unsigned numbers, whose overflow is defined.
template <class T>
void put(bool exclusive, const ir::DeviceCallContext& context) {
  const auto count = static_cast<int>(context.arguments[0].element_count());
  if (count == 0) return;
  const T* terms = context.pointer<const T>(0);
  T* const sums = context.pointer<T>(1);
  put_algorithm(
      context, "cub::DeviceScan", [&](void* storage, std::size_t& bytes, cudaStream_t stream) {
        return exclusive
                   ? cub::DeviceScan::ExclusiveSum(storage, bytes, terms, sums, count, stream)
                   : cub::DeviceScan::InclusiveSum(storage, bytes, terms, sums, count, stream);
      });
}

}  // namespace

void put_sum(ir::ScalarType type, bool exclusive, const ir::DeviceCallContext& context) {
  type == ir::ScalarType::I32 ? put<std::uint32_t>(exclusive, context)
                              : put<std::uint64_t>(exclusive, context);
}

}  // namespace gyre::libraries
