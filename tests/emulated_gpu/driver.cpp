// A libcuda whose one GPU is the host. Graphs run node by node; every call is done when it returns,
// unless streams are late (streams.hpp).
#include "graph_calls.hpp"
#include "kernel_calls.hpp"
#include "memory_calls.hpp"
#include "stream_calls.hpp"

#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include <cuda.h>

namespace {

using namespace emulated;

// Handles of the driver are pointers to what they stand for. Little is freed: a process is a test.
template <class Handle>
CUresult make_something(Handle* handle) {
  *handle = reinterpret_cast<Handle>(new std::string("something"));
  return CUDA_SUCCESS;
}

CUresult succeed() {
  return CUDA_SUCCESS;
}
CUresult driver_version(int* version) {
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult device_count(int* count) {
  *count = 1;
  return CUDA_SUCCESS;
}
CUresult device_get(CUdevice* one, int) {
  *one = 0;
  return CUDA_SUCCESS;
}
CUresult device_name(char* name, int size, CUdevice) {
  std::strncpy(name, "the host as a GPU", static_cast<std::size_t>(size));
  return CUDA_SUCCESS;
}
// One multiprocessor that runs one block: no barrier of several blocks ever has to be met.
CUresult device_attribute(int* value, CUdevice_attribute which, CUdevice) {
  static const std::map<CUdevice_attribute, int> values = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 1},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 256},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 227 << 10},
      {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
  };
  const auto found = values.find(which);
  *value = found == values.end() ? 0 : found->second;
  return CUDA_SUCCESS;
}
CUresult device_memory(std::size_t* bytes, CUdevice) {
  *bytes = total_memory;
  return CUDA_SUCCESS;
}
CUresult context_retain(CUcontext* context, CUdevice) {
  return make_something(context);
}
CUresult context_current(CUcontext* context) {
  static const auto only = new std::string("context");
  *context = reinterpret_cast<CUcontext>(only);
  return CUDA_SUCCESS;
}

template <class F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

void* function_named(std::string_view name) {
  static const std::map<std::string_view, void*> functions = {
      {"cuDriverGetVersion", address(&driver_version)},
      {"cuDeviceGetCount", address(&device_count)},
      {"cuDeviceGet", address(&device_get)},
      {"cuDeviceGetName", address(&device_name)},
      {"cuDeviceGetAttribute", address(&device_attribute)},
      {"cuDeviceTotalMem", address(&device_memory)},
      {"cuDevicePrimaryCtxRetain", address(&context_retain)},
      {"cuCtxGetCurrent", address(&context_current)},
      {"cuStreamCreateWithPriority", address(&stream_create)},
      {"cuStreamSynchronize", address(&stream_synchronize)},
      {"cuStreamQuery", address(&stream_query)},
      {"cuStreamWaitEvent", address(&stream_wait_event)},
      {"cuCtxSynchronize", address(&synchronize_all)},
      {"cuEventCreate", address(&event_create)},
      {"cuEventRecord", address(&event_record)},
      {"cuEventQuery", address(&event_query)},
      {"cuEventSynchronize", address(&event_synchronize)},
      {"cuMemAlloc", address(&allocate)},
      {"cuMemFree", address(&release)},
      {"cuMemGetInfo", address(&memory_left)},
      {"cuMemHostAlloc", address(&allocate_host)},
      {"cuMemFreeHost", address(&release_host)},
      {"cuMemHostGetDevicePointer", address(&host_pointer)},
      {"cuPointerGetAttributes", address(&pointer_attributes)},
      {"cuMemcpyHtoDAsync", address(&to_device)},
      {"cuMemcpyDtoHAsync", address(&to_host)},
      {"cuMemcpyDtoDAsync", address(&on_device)},
      {"cuMemsetD8Async", address(&set_bytes)},
      {"cuModuleLoadData", address(&module_load)},
      {"cuModuleGetFunction", address(&module_function)},
      {"cuLaunchKernelEx", address(&launch_kernel)},
      {"cuGraphCreate", address(&graph_create)},
      {"cuGraphConditionalHandleCreate", address(&make_handle)},
      {"cuGraphAddNode", address(&add_node)},
      {"cuGraphInstantiateWithParams", address(&instantiate)},
      {"cuGraphLaunch", address(&graph_launch)},
      {"cuGraphExecUpdate", address(&exec_update)},
      {"cuGraphExecKernelNodeSetParams", address(&set_kernel)},
      {"cuGraphExecMemsetNodeSetParams", address(&set_memset)},
      {"cuGraphExecMemcpyNodeSetParams", address(&set_memcpy)},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? address(&succeed) : found->second;
}

}  // namespace

extern "C" CUresult cuGetProcAddress_v2(const char* name, void** function, int, cuuint64_t,
                                        CUdriverProcAddressQueryResult* found) {
  *function = function_named(name);
  *found = CU_GET_PROC_ADDRESS_SUCCESS;
  return CUDA_SUCCESS;
}
