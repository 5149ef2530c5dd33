/// Blocks of threads on the host: enough of CUDA's built-in functions that the headers in kernels/
/// compile as plain C++ and run, so that their bits are tested on machines without a GPU.
///
/// The threads of a block are contexts that take turns. One runs until it meets a barrier or a
/// shuffle; a warp or block goes on when all its live threads stand there. Ends with the headers of
/// kernels/ that it suffices for, so that they are included here and nowhere else.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ucontext.h>

namespace gyre::simt {

struct Dim {
  unsigned x = 1;
};
inline Dim threadIdx;
inline Dim blockIdx;
inline Dim blockDim;
inline Dim gridDim;

/// One block under way. Blocks of a grid run one after the other.
class Block {
 public:
  /// Runs `kernel` for each thread of each block; throws where threads wait for each other in vain.
  static void launch(unsigned blocks, unsigned threads, const std::function<void()>& kernel) {
    gridDim.x = blocks;
    blockDim.x = threads;
    for (unsigned block = 0; block < blocks; ++block) {
      blockIdx.x = backwards ? blocks - 1 - block : block;
      Block(threads, kernel).run();
    }
  }

  static Block& current() { return *current_; }

  /// The last thread of the last block runs first.
  inline static bool backwards = false;

  /// The thread that runs waits for the others of its warp, or for all.
  void meet_warp() { wait(At::Warp); }
  void meet_block() { wait(At::Block); }
  /// What a thread shows to the others of its block.
  void* shown(unsigned thread) { return threads_[thread].shown; }
  bool& vote() { return vote_; }

 private:
  enum class At { Ready, Warp, Block, End };
  struct Thread {
    ucontext_t context;
    At at = At::Ready;
    alignas(16) char shown[16];
  };

  Block(unsigned threads, const std::function<void()>& kernel)
      : kernel_(kernel), threads_(threads) {
    current_ = this;
    stacks_.resize(std::max(stacks_.size(), threads * stack_bytes));
    char* stack = stacks_.data();
    for (Thread& thread : threads_) {
      getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = std::exchange(stack, stack + stack_bytes);
      thread.context.uc_stack.ss_size = stack_bytes;
      thread.context.uc_link = &scheduler_;
      makecontext(&thread.context, &Block::enter, 0);
    }
  }

  static void enter() {
    current_->kernel_();
    current_->threads_[threadIdx.x].at = At::End;
  }

  void run() {
    while (true) {
      bool ran = false;
      const auto count = static_cast<unsigned>(threads_.size());
      for (unsigned k = 0; k < count; ++k) {
        const unsigned i = backwards ? count - 1 - k : k;
        if (threads_[i].at != At::Ready) continue;
        ran = true;
        threadIdx.x = i;
        swapcontext(&scheduler_, &threads_[i].context);
      }
      if (!ran && !release()) break;
    }
    for (const Thread& thread : threads_) {
      if (thread.at != At::End) throw std::logic_error("threads wait at different barriers");
    }
  }

  // Whether some warp, or the block, stands together and may go on.
  bool release() {
    bool any = false;
    for (std::size_t warp = 0; warp < threads_.size(); warp += 32) {
      any = release(At::Warp, warp, std::min(warp + 32, threads_.size())) || any;
    }
    return any || release(At::Block, 0, threads_.size());
  }
  bool release(At at, std::size_t first, std::size_t last) {
    const auto begin = threads_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = threads_.begin() + static_cast<std::ptrdiff_t>(last);
    if (std::none_of(begin, end, [&](const Thread& one) { return one.at == at; })) return false;
    if (std::any_of(begin, end,
                    [&](const Thread& one) { return one.at != at && one.at != At::End; }))
      return false;
    for (auto one = begin; one != end; ++one) {
      if (one->at == at) one->at = At::Ready;
    }
    return true;
  }

  void wait(At at) {
    Thread& self = threads_[threadIdx.x];
    self.at = at;
    swapcontext(&self.context, &scheduler_);
  }

  static constexpr std::size_t stack_bytes = 32 << 10;
  inline static std::vector<char> stacks_;
  inline static Block* current_ = nullptr;
  const std::function<void()>& kernel_;
  std::vector<Thread> threads_;
  ucontext_t scheduler_{};
  bool vote_ = false;
};

template <class T>
T shuffle(T value, unsigned from) {
  static_assert(sizeof(T) <= 16);
  Block& block = Block::current();
  std::memcpy(block.shown(threadIdx.x), &value, sizeof(T));
  block.meet_warp();
  if (from < blockDim.x) std::memcpy(&value, block.shown(from), sizeof(T));
  block.meet_warp();
  return value;
}

}  // namespace gyre::simt

using gyre::simt::blockDim;
using gyre::simt::blockIdx;
using gyre::simt::gridDim;
using gyre::simt::threadIdx;
using std::memcpy;

#define __device__
#define __shared__ static
#define __noinline__
// As much as a block may ask for.
#define GYRE_DYNAMIC_SHARED(name) alignas(16) static char name[227 << 10]

template <class T>
T __shfl_down_sync(unsigned, T value, unsigned distance) {
  const unsigned lane = threadIdx.x % 32;
  return gyre::simt::shuffle(value, threadIdx.x + (lane + distance < 32 ? distance : 0));
}
template <class T>
T __shfl_sync(unsigned, T value, int lane) {
  return gyre::simt::shuffle(value, threadIdx.x / 32 * 32 + static_cast<unsigned>(lane));
}
/// The lanes of the warp that say so.
inline unsigned __ballot_sync(unsigned, bool says) {
  unsigned ballot = 0;
  for (int lane = 0; lane < 32; ++lane) ballot |= __shfl_sync(~0U, says ? 1U : 0U, lane) << lane;
  return ballot;
}
inline void __syncwarp() {
  gyre::simt::Block::current().meet_warp();
}
inline int __ffs(int bits) {
  return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1;
}
inline void __syncthreads() {
  gyre::simt::Block::current().meet_block();
}
inline int __syncthreads_or(int holds) {
  auto& block = gyre::simt::Block::current();
  block.vote() = false;
  block.meet_block();
  block.vote() = block.vote() || holds != 0;
  block.meet_block();
  const bool any = block.vote();
  block.meet_block();
  return any ? 1 : 0;
}
inline void __threadfence() {}
inline float __int_as_float(int bits) {
  return std::bit_cast<float>(bits);
}
inline float __uint_as_float(unsigned bits) {
  return std::bit_cast<float>(bits);
}
inline unsigned __float_as_uint(float value) {
  return std::bit_cast<unsigned>(value);
}
template <class T>
T atomicExch(T* at, T value) {
  return std::exchange(*at, value);
}
template <class T>
T atomicCAS(T* at, T expected, T value) {
  const T before = *at;
  if (before == expected) *at = value;
  return before;
}
template <class T>
T atomicOr(T* at, T value) {
  const T before = *at;
  *at = before | value;
  return before;
}
template <class T>
T atomicAdd(T* at, T value) {
  const T before = *at;
  *at = before + value;
  return before;
}

template <class T>
T atomicMax(T* at, T value) {
  const T before = *at;
  if (before < value) *at = value;
  return before;
}

#include "kernels/crew.cuh"
#include "kernels/fold.cuh"
#include "kernels/grid_tile.cuh"
#include "kernels/late.cuh"
#include "kernels/own_rows.cuh"
#include "kernels/stage.cuh"
#include "kernels/tile.cuh"
#include "kernels/watch.cuh"
