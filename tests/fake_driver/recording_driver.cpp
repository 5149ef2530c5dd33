// A libcuda with one GPU on which nothing runs, and which remembers what graphs are made of:
// `recorded_graph` tells it as text. Memory of the device is memory of the host.
#include "recorded_captures.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

namespace {

using recorded::Graph;
using recorded::Node;

// Handles of the driver are pointers to what they stand for. Nothing is freed: a process is a test.
template <class Handle, class... Parts>
Handle made(Parts&&... parts) {
  return reinterpret_cast<Handle>(new std::string(parts...));
}

CUresult init(unsigned) {
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
CUresult device_get(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult device_name(char* name, int size, CUdevice) {
  std::strncpy(name, "a GPU that only remembers", static_cast<std::size_t>(size));
  return CUDA_SUCCESS;
}
CUresult device_attribute(int* value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : 0;
  return CUDA_SUCCESS;
}
CUresult context_retain(CUcontext* context, CUdevice) {
  *context = made<CUcontext>("context");
  return CUDA_SUCCESS;
}
CUresult context_current(CUcontext* context) {
  static const auto only = made<CUcontext>("context");
  *context = only;
  return CUDA_SUCCESS;
}
CUresult stream_create(CUstream* stream, unsigned, int) {
  *stream = made<CUstream>("stream");
  return CUDA_SUCCESS;
}
CUresult event_create(CUevent* event, unsigned) {
  *event = made<CUevent>("event");
  return CUDA_SUCCESS;
}
// The one buffer that lies on the host, and whether the device has no memory left.
const void* host_memory = nullptr;
bool is_out_of_memory = false;

CUresult allocate(CUdeviceptr* address, std::size_t bytes) {
  if (is_out_of_memory) return CUDA_ERROR_OUT_OF_MEMORY;
  if (recorded::forbid_while_captured()) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  *address = reinterpret_cast<CUdeviceptr>(std::calloc(1, bytes));
  return CUDA_SUCCESS;
}
CUresult allocate_host(void** address, std::size_t bytes, unsigned) {
  *address = std::calloc(1, bytes);
  return CUDA_SUCCESS;
}
CUresult host_pointer(CUdeviceptr* device, void* host, unsigned) {
  *device = reinterpret_cast<CUdeviceptr>(host);
  return CUDA_SUCCESS;
}
CUresult pointer_attributes(unsigned count, CUpointer_attribute* which, void** values,
                            CUdeviceptr address) {
  const bool is_host = address == reinterpret_cast<CUdeviceptr>(host_memory);
  for (unsigned i = 0; i < count; ++i) {
    if (which[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) {
      *static_cast<CUmemorytype*>(values[i]) = is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    }
    if (which[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *static_cast<int*>(values[i]) = 0;
  }
  return CUDA_SUCCESS;
}
CUresult module_load(CUmodule* module, const void*) {
  *module = made<CUmodule>("module");
  return CUDA_SUCCESS;
}
CUresult module_function(CUfunction* function, CUmodule, const char* name) {
  *function = made<CUfunction>(name);
  return CUDA_SUCCESS;
}

CUresult graph_create(CUgraph* graph, unsigned) {
  *graph = reinterpret_cast<CUgraph>(new Graph);
  return CUDA_SUCCESS;
}

CUresult make_handle(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext, unsigned,
                     unsigned) {
  static CUgraphConditionalHandle next = 1;
  *handle = next++;
  reinterpret_cast<Graph*>(graph)->handles.push_back(*handle);
  return CUDA_SUCCESS;
}

std::string conditional_name(CUgraphConditionalNodeType type) {
  if (type == CU_GRAPH_COND_TYPE_IF) return "if";
  return type == CU_GRAPH_COND_TYPE_WHILE ? "while" : "switch";
}

// Refuses what a real driver refuses: a handle of another graph.
CUresult add_conditional(Graph& graph, Node& node, CUDA_CONDITIONAL_NODE_PARAMS& params) {
  bool own = false;
  for (const auto handle : graph.handles) own = own || handle == params.handle;
  if (!own) return CUDA_ERROR_INVALID_VALUE;
  node.what = conditional_name(params.type);
  auto** bodies = new CUgraph[params.size];
  for (unsigned i = 0; i < params.size; ++i) {
    node.bodies.push_back(new Graph);
    bodies[i] = reinterpret_cast<CUgraph>(node.bodies.back());
  }
  params.phGraph_out = bodies;
  return CUDA_SUCCESS;
}

CUresult add_node(CUgraphNode* out, CUgraph to, const CUgraphNode* after, const CUgraphEdgeData*,
                  std::size_t count, CUgraphNodeParams* params) {
  auto& graph = *reinterpret_cast<Graph*>(to);
  auto node = std::make_unique<Node>();
  for (std::size_t i = 0; i < count; ++i) {
    node->after.push_back(reinterpret_cast<const Node*>(after[i]));
  }
  node->type = params->type;
  switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      node->what = "kernel " + *reinterpret_cast<std::string*>(params->kernel.func);
      break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      node->what = "clear of " + std::to_string(params->memset.width) + " bytes";
      break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      node->what = "copy of " + std::to_string(params->memcpy.copyParams.WidthInBytes) + " bytes";
      break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
      node->what = "child graph";
      node->bodies.push_back(reinterpret_cast<Graph*>(params->graph.graph));
      break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: {
      const CUresult result = add_conditional(graph, *node, params->conditional);
      if (result != CUDA_SUCCESS) return result;
      break;
    }
    default: node->what = "node"; break;
  }
  *out = reinterpret_cast<CUgraphNode>(node.get());
  graph.nodes.push_back(std::move(node));
  return CUDA_SUCCESS;
}

CUresult get_nodes(CUgraph of, CUgraphNode* nodes, std::size_t* count) {
  const auto& graph = *reinterpret_cast<Graph*>(of);
  *count = graph.nodes.size();
  for (std::size_t i = 0; nodes != nullptr && i < *count; ++i) {
    nodes[i] = reinterpret_cast<CUgraphNode>(graph.nodes[i].get());
  }
  return CUDA_SUCCESS;
}
CUresult node_type(CUgraphNode node, CUgraphNodeType* type) {
  *type = reinterpret_cast<Node*>(node)->type;
  return CUDA_SUCCESS;
}

CUresult succeed() {
  return CUDA_SUCCESS;
}

std::string what_is_before(const Node& node) {
  std::string text;
  for (const Node* before : node.after) text += (text.empty() ? "" : " and ") + before->what;
  return text.empty() ? "nothing" : text;
}

// Where a node does not wait for the one above it alone, it is told for what it does.
void print(const Graph& graph, std::size_t depth, std::string& text) {
  const Node* before = nullptr;
  for (const auto& node : graph.nodes) {
    const bool follows = before == nullptr ? node->after.empty()
                                           : node->after.size() == 1 && node->after[0] == before;
    text += std::string(2 * depth, ' ') + node->what +
            (follows ? "" : ", behind " + what_is_before(*node)) + "\n";
    for (std::size_t i = 0; i < node->bodies.size(); ++i) {
      if (node->bodies.size() > 1) {
        text += std::string(2 * depth, ' ') + "case " + std::to_string(i) + "\n";
      }
      print(*node->bodies[i], depth + 1, text);
    }
    before = node.get();
  }
}

void* function_named(std::string_view name) {
  static const std::map<std::string_view, void*> functions = {
      {"cuInit", reinterpret_cast<void*>(&init)},
      {"cuDriverGetVersion", reinterpret_cast<void*>(&driver_version)},
      {"cuDeviceGetCount", reinterpret_cast<void*>(&device_count)},
      {"cuDeviceGet", reinterpret_cast<void*>(&device_get)},
      {"cuDeviceGetName", reinterpret_cast<void*>(&device_name)},
      {"cuDeviceGetAttribute", reinterpret_cast<void*>(&device_attribute)},
      {"cuDevicePrimaryCtxRetain", reinterpret_cast<void*>(&context_retain)},
      {"cuCtxGetCurrent", reinterpret_cast<void*>(&context_current)},
      {"cuStreamCreateWithPriority", reinterpret_cast<void*>(&stream_create)},
      {"cuEventCreate", reinterpret_cast<void*>(&event_create)},
      {"cuMemAlloc", reinterpret_cast<void*>(&allocate)},
      {"cuMemHostAlloc", reinterpret_cast<void*>(&allocate_host)},
      {"cuMemHostGetDevicePointer", reinterpret_cast<void*>(&host_pointer)},
      {"cuPointerGetAttributes", reinterpret_cast<void*>(&pointer_attributes)},
      {"cuModuleLoadData", reinterpret_cast<void*>(&module_load)},
      {"cuModuleGetFunction", reinterpret_cast<void*>(&module_function)},
      {"cuGraphCreate", reinterpret_cast<void*>(&graph_create)},
      {"cuGraphConditionalHandleCreate", reinterpret_cast<void*>(&make_handle)},
      {"cuGraphAddNode", reinterpret_cast<void*>(&add_node)},
      {"cuGraphGetNodes", reinterpret_cast<void*>(&get_nodes)},
      {"cuGraphNodeGetType", reinterpret_cast<void*>(&node_type)},
  };
  if (void* capturing = recorded::function_of_captures(name)) return capturing;
  const auto found = functions.find(name);
  return found == functions.end() ? reinterpret_cast<void*>(&succeed) : found->second;
}

}  // namespace

extern "C" CUresult cuGetProcAddress_v2(const char* name, void** function, int, cuuint64_t,
                                        CUdriverProcAddressQueryResult* found) {
  *function = function_named(name);
  *found = CU_GET_PROC_ADDRESS_SUCCESS;
  return CUDA_SUCCESS;
}

/// From now on that buffer lies in the host's memory, and all others do not.
extern "C" void record_host_memory(const void* buffer) {
  host_memory = buffer;
}
/// Whether the device has no memory left.
extern "C" void record_out_of_memory(bool is_out) {
  is_out_of_memory = is_out;
}

/// The nodes of a graph in the order in which they were added, bodies below their node.
extern "C" const char* recorded_graph(CUgraph graph) {
  static std::string text;
  text.clear();
  print(*reinterpret_cast<Graph*>(graph), 0, text);
  return text.c_str();
}
