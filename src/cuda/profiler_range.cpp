#include "gyre/cuda/profiler_range.hpp"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace gyre::cuda {
namespace {

nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t handle = nvtxDomainCreateA("gyre");
  return handle;
}

}  // namespace

ProfilerRange::ProfilerRange(const char* name) noexcept {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name;
  nvtxDomainRangePushEx(domain(), &attributes);
}

ProfilerRange::~ProfilerRange() {
  nvtxDomainRangePop(domain());
}

}  // namespace gyre::cuda
#else
namespace gyre::cuda {

ProfilerRange::ProfilerRange(const char*) noexcept {}
ProfilerRange::~ProfilerRange() = default;

}  // namespace gyre::cuda
#endif
