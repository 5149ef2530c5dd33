// A libcuda whose one GPU is the host. Graphs run node by node; every call is done when it returns,
// unless streams are late (streams.hpp).
#include "memory_calls.hpp"
#include "stream_calls.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <cuda.h>
#include <dlfcn.h>

namespace {

using namespace emulated;
using Word = unsigned long long;
constexpr std::size_t most_parameters = 48;

/// A kernel of a module that nvrtc.cpp made.
struct Function {
  void* kernel;
  void (*run)(void* kernel, const Word* words, unsigned blocks, unsigned threads);
  int parameters;
};

struct Module {
  void* library;
  std::map<std::string, int> parameters;
};

/// A kernel with what it is launched with.
struct Launch {
  const Function* function = nullptr;
  std::vector<Word> words = {};
  unsigned blocks = 0;
  unsigned threads = 0;

  void run() const { function->run(function->kernel, words.data(), blocks, threads); }
};

struct Graph;

struct Node {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  Launch launch = {};
  CUdeviceptr to = 0;
  CUdeviceptr from = 0;
  std::size_t bytes = 0;
  CUgraphConditionalHandle handle = 0;
  CUgraphConditionalNodeType kind = CU_GRAPH_COND_TYPE_IF;
  std::vector<Graph*> bodies = {};
};

struct Graph {
  /// In the order of the program: gyre's graphs are chains.
  std::vector<std::unique_ptr<Node>> nodes = {};
  std::vector<CUgraphConditionalHandle> handles = {};
};

// The threads of a block are global to the process, and so is the device.
std::recursive_mutex& device() {
  static std::recursive_mutex mutex;
  return mutex;
}

std::map<CUgraphConditionalHandle, unsigned>& values() {
  static std::map<CUgraphConditionalHandle, unsigned> all;
  return all;
}
void set_value(Word handle, unsigned value) {
  values()[handle] = value;
}

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

CUresult module_load(CUmodule* module, const void* image) {
  auto made = std::make_unique<Module>();
  made->library = dlopen(static_cast<const char*>(image), RTLD_NOW | RTLD_LOCAL);
  if (made->library == nullptr) {
    std::fprintf(stderr, "the GPU that is the host: %s\n", dlerror());
    return CUDA_ERROR_INVALID_IMAGE;
  }
  using SetConditional = void (*)(Word, unsigned);
  *static_cast<SetConditional*>(dlsym(made->library, "set_conditional")) = &set_value;
  const std::string counts =
      *static_cast<const char* const*>(dlsym(made->library, "parameter_counts"));
  for (std::size_t at = 0; at < counts.size();) {
    const std::size_t colon = counts.find(':', at);
    made->parameters[counts.substr(at, colon - at)] = std::atoi(counts.c_str() + colon + 1);
    at = counts.find(';', at) + 1;
  }
  *module = reinterpret_cast<CUmodule>(made.release());
  return CUDA_SUCCESS;
}

CUresult module_function(CUfunction* function, CUmodule handle, const char* name) {
  Module& module = *reinterpret_cast<Module*>(handle);
  void* kernel = dlsym(module.library, name);
  if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
  const auto run = reinterpret_cast<decltype(Function::run)>(dlsym(module.library, "run_kernel"));
  *function = reinterpret_cast<CUfunction>(new Function{kernel, run, module.parameters.at(name)});
  return CUDA_SUCCESS;
}

Launch launch_of(CUfunction handle, void* const* arguments, unsigned blocks, unsigned threads) {
  const auto* function = reinterpret_cast<const Function*>(handle);
  Launch launch{function, std::vector<Word>(most_parameters), blocks, threads};
  for (int i = 0; i < function->parameters; ++i) {
    std::memcpy(&launch.words[static_cast<std::size_t>(i)], arguments[i], sizeof(Word));
  }
  return launch;
}

CUresult launch_kernel(const CUlaunchConfig* config, CUfunction function, void** arguments,
                       void**) {
  auto launch = launch_of(function, arguments, config->gridDimX, config->blockDimX);
  stream_of(config->hStream).put([launch = std::move(launch)] {
    const std::lock_guard lock(device());
    launch.run();
  });
  return CUDA_SUCCESS;
}

CUresult graph_create(CUgraph* graph, unsigned) {
  *graph = reinterpret_cast<CUgraph>(new Graph);
  return CUDA_SUCCESS;
}
CUresult make_handle(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext, unsigned,
                     unsigned) {
  const std::lock_guard lock(device());
  static CUgraphConditionalHandle next = 1;
  *handle = next++;
  reinterpret_cast<Graph*>(graph)->handles.push_back(*handle);
  return CUDA_SUCCESS;
}

CUresult add_node(CUgraphNode* out, CUgraph to, const CUgraphNode*, const CUgraphEdgeData*,
                  std::size_t, CUgraphNodeParams* params) {
  auto node = std::make_unique<Node>();
  node->type = params->type;
  switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      node->launch = launch_of(params->kernel.func, params->kernel.kernelParams,
                               params->kernel.gridDimX, params->kernel.blockDimX);
      break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      node->to = params->memset.dst;
      node->bytes = params->memset.width;
      break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      node->to = params->memcpy.copyParams.dstDevice;
      node->from = params->memcpy.copyParams.srcDevice;
      node->bytes = params->memcpy.copyParams.WidthInBytes;
      break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: {
      node->handle = params->conditional.handle;
      node->kind = params->conditional.type;
      auto** bodies = new CUgraph[params->conditional.size];
      for (unsigned i = 0; i < params->conditional.size; ++i) {
        node->bodies.push_back(new Graph);
        bodies[i] = reinterpret_cast<CUgraph>(node->bodies.back());
      }
      params->conditional.phGraph_out = bodies;
      break;
    }
    case CU_GRAPH_NODE_TYPE_EMPTY: break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
  }
  *out = reinterpret_cast<CUgraphNode>(node.get());
  reinterpret_cast<Graph*>(to)->nodes.push_back(std::move(node));
  return CUDA_SUCCESS;
}

void run(const Graph& graph);

void run_conditional(const Node& node) {
  const auto value = [&] { return values()[node.handle]; };
  switch (node.kind) {
    case CU_GRAPH_COND_TYPE_WHILE:
      while (value() != 0) run(*node.bodies[0]);
      break;
    case CU_GRAPH_COND_TYPE_IF:
      if (value() != 0) run(*node.bodies[0]);
      break;
    default:
      if (value() < node.bodies.size()) run(*node.bodies[value()]);
      break;
  }
}

void run(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (node->type == CU_GRAPH_NODE_TYPE_KERNEL) node->launch.run();
    if (node->type == CU_GRAPH_NODE_TYPE_MEMSET)
      std::memset(memory<void>(node->to), 0, node->bytes);
    if (node->type == CU_GRAPH_NODE_TYPE_MEMCPY) {
      std::memmove(memory<void>(node->to), memory<void>(node->from), node->bytes);
    }
    if (node->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) run_conditional(*node);
  }
}

// Once a launch, as on a real device, never when a body is entered.
void give_defaults(const Graph& graph) {
  for (const auto handle : graph.handles) values()[handle] = 0;
  for (const auto& node : graph.nodes) {
    for (const Graph* body : node->bodies) give_defaults(*body);
  }
}

// An executable is its graph, which is never destroyed.
CUresult instantiate(CUgraphExec* exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS*) {
  *exec = reinterpret_cast<CUgraphExec>(graph);
  return CUDA_SUCCESS;
}
/// A graph as it was when it was launched: its nodes may be set anew before it runs.
struct LaunchedGraph {
  explicit LaunchedGraph(const Graph& graph) : whole(copy(graph)) {}

  Graph* copy(const Graph& graph) {
    graphs.push_back(std::make_unique<Graph>());
    Graph* made = graphs.back().get();
    made->handles = graph.handles;
    for (const auto& node : graph.nodes) {
      made->nodes.push_back(std::make_unique<Node>(*node));
      for (Graph*& body : made->nodes.back()->bodies) body = copy(*body);
    }
    return made;
  }

  std::vector<std::unique_ptr<Graph>> graphs = {};
  Graph* whole;
};

CUresult graph_launch(CUgraphExec exec, CUstream stream) {
  const auto launched = std::make_shared<LaunchedGraph>(*reinterpret_cast<Graph*>(exec));
  stream_of(stream).put([launched] {
    const std::lock_guard lock(device());
    give_defaults(*launched->whole);
    run(*launched->whole);
  });
  return CUDA_SUCCESS;
}
// gyre then instantiates anew.
CUresult exec_update(CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo* info) {
  info->result = CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
  return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}
CUresult set_kernel(CUgraphExec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2* params) {
  reinterpret_cast<Node*>(node)->launch =
      launch_of(params->func, params->kernelParams, params->gridDimX, params->blockDimX);
  return CUDA_SUCCESS;
}
CUresult set_memset(CUgraphExec, CUgraphNode handle, const CUDA_MEMSET_NODE_PARAMS* params,
                    CUcontext) {
  Node& node = *reinterpret_cast<Node*>(handle);
  node.to = params->dst;
  node.bytes = params->width;
  return CUDA_SUCCESS;
}
CUresult set_memcpy(CUgraphExec, CUgraphNode handle, const CUDA_MEMCPY3D* params, CUcontext) {
  Node& node = *reinterpret_cast<Node*>(handle);
  node.to = params->dstDevice;
  node.from = params->srcDevice;
  node.bytes = params->WidthInBytes;
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
