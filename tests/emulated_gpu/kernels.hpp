/// What an emitted module needs to compile and run on the host, beside the blocks of threads.
#pragma once

#include "unit/kernels/simt.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

#define __global__
#define __launch_bounds__(...)

inline void __threadfence_system() {}

extern "C" {

/// Set by the driver: what a kernel does to a conditional node.
void (*set_conditional)(unsigned long long handle, unsigned value) = nullptr;

void cudaGraphSetConditional(unsigned long long handle, unsigned value) {
  set_conditional(handle, value);
}

}  // extern "C"

namespace gyre::emulated {

/// Every parameter is one word of a register or of the stack, so that a kernel may be called with
/// more of them than it takes.
inline constexpr std::size_t most_parameters = 48;

template <std::size_t>
using Word = unsigned long long;

template <std::size_t... i>
void call(void* kernel, const Word<0>* words, std::index_sequence<i...>) {
  reinterpret_cast<void (*)(Word<i>...)>(kernel)(words[i]...);
}

}  // namespace gyre::emulated

extern "C" void run_kernel(void* kernel, const unsigned long long* words, unsigned blocks,
                           unsigned threads) {
  gyre::simt::Block::launch(blocks, threads, [&] {
    gyre::emulated::call(kernel, words,
                         std::make_index_sequence<gyre::emulated::most_parameters>());
  });
}
