/// What one thread needs of the state at the end of its kernel, brought to shared memory while the
/// kernel works: loaded at the end it would be waited for, and loaded into registers on entry it
/// would cost each thread of the kernel some.
#pragma once

#include "kernels/async_copy.cuh"
#include "kernels/state.cuh"

namespace gyre {

/// Where cells and loops lie in the state.
template <unsigned... offsets>
struct Offsets {};

template <class Cells, class Loops>
class Late;

/// In shared memory, and of one thread.
template <unsigned... cells, unsigned... loops>
class Late<Offsets<cells...>, Offsets<loops...>> {
 public:
  __device__ void begin(State state) {
    const Control& now = control(state);
    begin_copy(&head_, reinterpret_cast<const unsigned long long*>(&now));
    begin_copy(&launch_, &now.launch);
    for (unsigned i = 0; i < queue_places; ++i) begin_copy(&cancel_[i], &now.cancel[i]);
    unsigned long long* next = words_;
    const auto bring = [&](unsigned offset) {
      begin_copy(next++, reinterpret_cast<const unsigned long long*>(state + offset));
    };
    (bring(cells), ...);
    ((bring(loops), bring(loops + sizeof(unsigned long long))), ...);
  }
  __device__ void wait() { wait_for_copies(); }

  /// The cell of that number.
  template <class T>
  __device__ T cell(unsigned number) const {
    return load_cell<T>(reinterpret_cast<State>(const_cast<unsigned long long*>(words_)),
                        number * sizeof(unsigned long long));
  }
  __device__ bool runs() const { return static_cast<unsigned>(head_) == running; }
  /// The loop of that number.
  __device__ LoopView look_at_loop(unsigned number) const {
    const unsigned long long* loop = words_ + sizeof...(cells) + 2 * number;
    const unsigned place = static_cast<unsigned>((launch_ - 1) % queue_places);
    return {runs(), cancel_[place] == static_cast<unsigned>(launch_), loop[0], loop[1]};
  }

 private:
  /// The status, in the lower half.
  unsigned long long head_;
  unsigned long long launch_;
  unsigned cancel_[queue_places];
  unsigned long long words_[sizeof...(cells) + 2 * sizeof...(loops) + 1];
};

}  // namespace gyre
