#include "gyre/libraries/cub.hpp"

#include "cub_works.hpp"
#include "gyre/base/error.hpp"

#include <string>
#include <utility>

namespace gyre::libraries {

void must(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  throw EnvironmentError(std::string(what) + " failed: " + cudaGetErrorName(result) + " (" +
                         cudaGetErrorString(result) + ")");
}

std::shared_ptr<const ir::PrimitiveLibrary> cub(const ir::LibraryLimits& limits) {
  ir::PrimitiveLibrary library;
  library.name = "cub";
  library.order = [](ir::ScalarType type, ir::KeyOrder order) {
    return [type, order](const ir::DeviceCallContext& context) { put_order(type, order, context); };
  };
  library.sum = [](ir::ScalarType type, bool exclusive) {
    return [type, exclusive](const ir::DeviceCallContext& context) {
      put_sum(type, exclusive, context);
    };
  };
  library.limits = limits;
  return std::make_shared<const ir::PrimitiveLibrary>(std::move(library));
}

}  // namespace gyre::libraries
