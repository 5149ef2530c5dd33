/// Who runs a resident loop: threads that go through it together, decide alike, and meet at
/// barriers. Every thread has the slots in registers and does the scalar work for itself.
///
/// Leaves out folds (tile.cuh, fold.cuh) and clusters of blocks (cluster.cuh).
#pragma once

#include "kernels/state.cuh"

namespace gyre {

/// The barrier of one block.
class BlockMeeting {
 public:
  __device__ explicit BlockMeeting(State) {}
  /// The number of a thread among those of the crew.
  __device__ static unsigned thread() { return threadIdx.x; }
  /// Waits for all; what they wrote is seen.
  __device__ void meet() { __syncthreads(); }
  /// The same, and whether somebody said so.
  __device__ bool meet_any(bool says) { return __syncthreads_or(says) != 0; }
  /// The same where only the leader has a say.
  __device__ bool meet_told(bool says) { return meet_any(says); }
};

/// The barrier of a grid whose blocks are all on the device: one word, in which blocks arrive and
/// are told things.
class GridMeeting {
 public:
  __device__ explicit GridMeeting(State state)
      : word_(&control(state).barrier), turned_(*word_ & turn) {}
  __device__ static unsigned thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
  __device__ void meet() {
    __syncthreads();
    if (threadIdx.x == 0) wait();
    __syncthreads();
  }
  __device__ bool meet_any(bool says) {
    return meet_told(__syncthreads_or(says) != 0 && threadIdx.x == 0);
  }
  /// Each block's first thread alone has a say.
  __device__ bool meet_told(bool says) {
    // Who hears of this vote may speak in the next one before another has read: each has a bit of
    // its own. Whatever was told ends the launch, so that no bit is cleared.
    const unsigned bit = 1u << (votes_++ & 1u);
    if (says) atomicOr(const_cast<unsigned*>(word_), bit);
    __syncthreads();
    const bool told = threadIdx.x == 0 && (wait() & bit) != 0;
    return __syncthreads_or(told) != 0;
  }

 private:
  static constexpr unsigned turn = 0x80000000u;
  /// The lower bits are those of the votes.
  static constexpr unsigned arrival = 4;

  // One block's arrival and the others' add up to 2^31: the top bit turns when the last one comes.
  // Until this block has come it stays as it is, so that nobody waits to be told how it was.
  __device__ unsigned wait() {
    __threadfence();
    atomicAdd(const_cast<unsigned*>(word_),
              blockIdx.x == 0 ? turn - (gridDim.x - 1) * arrival : arrival);
    turned_ ^= turn;
    unsigned seen = *word_;
    while ((seen & turn) != turned_) seen = *word_;
    __threadfence();
    return seen;
  }

  volatile unsigned* word_;
  unsigned turned_;
  unsigned votes_ = 0;
};

/// One entry of a loop.
struct Entry {
  unsigned long long limit;
  unsigned long long trips = 0;
};

template <class Meeting>
class Crew : public Meeting {
 public:
  __device__ explicit Crew(State state) : Meeting(state), state_(state) {
    const Control& now = control(state);
    has_ended_ = now.status != running;
    launch_ = static_cast<unsigned>(now.launch);
    cancel_ = &now.cancel[(now.launch - 1) % queue_places];
    // Nobody but the leader ever sees the launch's own number.
    seen_ = leads() ? *cancel_ : ~launch_;
  }

  /// The thread that speaks for all.
  __device__ bool leads() const { return this->thread() == 0; }
  /// The launch is over: nothing more may be done.
  __device__ bool has_ended() const { return has_ended_; }

  /// Before each trip, the first included: whether the loop makes it. All meet. The decision is
  /// that of decide_trip, but the word by which the host cancels was read a trip ago: nobody waits
  /// for memory.
  __device__ bool goes_on(Entry& entry, bool predicate, bool steady, unsigned counter,
                          unsigned region) {
    if (this->meet_told(seen_ == launch_)) return end(cancelled, 0);
    if (leads()) seen_ = *cancel_;
    if (!predicate) return false;
    if (steady && entry.trips == 1 && entry.trips < entry.limit) {
      count(counter, entry.limit - entry.trips);
      entry.trips = entry.limit;
    }
    if (entry.trips >= entry.limit) return end(trip_limit, region);
    ++entry.trips;
    count(counter, 1);
    return true;
  }

  /// Adds to a count; 0 means that nobody asks. The host may watch while the loop runs, and nobody
  /// waits for the addition.
  __device__ void count(unsigned counter, unsigned long long more) const {
    if (counter != 0 && leads()) {
      atomicAdd(reinterpret_cast<unsigned long long*>(state_ + counter), more);
    }
  }

  __device__ void stop(unsigned label, long long code) {
    if (leads()) end_stopped(state_, label, code);
    has_ended_ = true;
  }

  /// After a sweep whose points may end the launch: whether one did. All meet.
  __device__ bool has_failed() {
    const volatile unsigned& status = control(state_).status;
    has_ended_ = this->meet_any(status != running);
    return has_ended_;
  }

  /// Zeroes every element, all threads together.
  template <class T>
  __device__ void clear(T* memory, long long elements) const {
    each(elements, [&](long long i) { memory[i] = T{}; });
  }
  template <class T>
  __device__ void copy(T* to, const T* from, long long elements) const {
    each(elements, [&](long long i) { to[i] = from[i]; });
  }

 private:
  template <class Body>
  __device__ static void each(long long elements, Body body) {
    const long long all = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = Meeting::thread(); i < elements; i += all) body(i);
  }
  __device__ bool end(unsigned status, unsigned region) {
    if (leads()) {
      Control& now = control(state_);
      now.status = status;
      now.region = region;
    }
    has_ended_ = true;
    return false;
  }

  State state_;
  bool has_ended_;
  unsigned launch_;
  const volatile unsigned* cancel_;
  unsigned seen_;
};

}  // namespace gyre
