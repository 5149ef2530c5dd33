// What the samples that need a GPU share: failing loudly, and leaving with 77 ("skipped") where
// there is none.
#pragma once

#include <gyre/executors/make_executor.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <cuda_runtime.h>

#define CHECK(call)                                                        \
  do {                                                                     \
    const cudaError_t result = (call);                                     \
    if (result != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(result)); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (false)

inline void skip_without_gpu(const std::string& executor) {
  for (const auto& info : gyre::executors::available_executors()) {
    if (info.name != executor || info.available) continue;
    std::printf("skipped: %s is not there: %s\n", executor.c_str(), info.reason.c_str());
    std::exit(77);
  }
}

template <class T>
T* allocate(int count) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}
