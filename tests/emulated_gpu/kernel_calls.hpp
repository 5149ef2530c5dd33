/// The driver's calls on modules and kernels, which run on the thread that launches them or on that
/// of their stream.
#pragma once

#include "stream_calls.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <cuda.h>
#include <dlfcn.h>

namespace emulated {

using Word = unsigned long long;
inline constexpr std::size_t most_parameters = 48;

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

/// The threads of a block are global to the process, and so is the device.
inline std::recursive_mutex& device() {
  static std::recursive_mutex mutex;
  return mutex;
}

/// What conditional handles hold.
inline std::map<CUgraphConditionalHandle, unsigned>& values() {
  static std::map<CUgraphConditionalHandle, unsigned> all;
  return all;
}
inline void set_value(Word handle, unsigned value) {
  values()[handle] = value;
}

inline CUresult module_load(CUmodule* module, const void* image) {
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

inline CUresult module_function(CUfunction* function, CUmodule handle, const char* name) {
  Module& module = *reinterpret_cast<Module*>(handle);
  void* kernel = dlsym(module.library, name);
  if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
  const auto run = reinterpret_cast<decltype(Function::run)>(dlsym(module.library, "run_kernel"));
  *function = reinterpret_cast<CUfunction>(new Function{kernel, run, module.parameters.at(name)});
  return CUDA_SUCCESS;
}

inline Launch launch_of(CUfunction handle, void* const* arguments, unsigned blocks,
                        unsigned threads) {
  const auto* function = reinterpret_cast<const Function*>(handle);
  Launch launch{function, std::vector<Word>(most_parameters), blocks, threads};
  for (int i = 0; i < function->parameters; ++i) {
    std::memcpy(&launch.words[static_cast<std::size_t>(i)], arguments[i], sizeof(Word));
  }
  return launch;
}

inline CUresult launch_kernel(const CUlaunchConfig* config, CUfunction function, void** arguments,
                              void**) {
  auto launch = launch_of(function, arguments, config->gridDimX, config->blockDimX);
  stream_of(config->hStream).put([launch = std::move(launch)] {
    const std::lock_guard lock(device());
    launch.run();
  });
  return CUDA_SUCCESS;
}

}  // namespace emulated
