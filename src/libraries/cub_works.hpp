/// What the calls of gyre::cub put on a stream, each in a file of its own: nvcc takes seconds for
/// every algorithm and type.
#pragma once

#include "gyre/ir/primitive_library.hpp"

#include <cstddef>

#include <cuda_runtime_api.h>

namespace gyre::libraries {

/// EnvironmentError where CUDA refused `what`.
void must(cudaError_t result, const char* what);

/// The stream of a call, and its temporaries, as CUB asks for them: `algorithm(storage, bytes,
/// stream)` is called once to learn how many bytes it needs, and then with so many.
template <class Algorithm>
void put_algorithm(const ir::DeviceCallContext& context, const char* what,
                   const Algorithm& algorithm) {
  const cudaStream_t stream = context.stream;
  std::size_t bytes = 0;
  must(algorithm(nullptr, bytes, stream), what);
  must(algorithm(context.temporary<char>(bytes), bytes, stream), what);
}

/// PrimitiveLibrary::order and ::sum, for one call.
void put_order(ir::ScalarType type, ir::KeyOrder order, const ir::DeviceCallContext& context);
void put_sum(ir::ScalarType type, bool exclusive, const ir::DeviceCallContext& context);

}  // namespace gyre::libraries
