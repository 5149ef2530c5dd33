/// The state of one executable on the device: how the launch stands, the cells of its slots, its
/// loops and its counts. Where each thing lies is decided by jit/state_layout; the head is here.
///
/// Leaves out the partials of folds (fold.cuh) and how a fault is told (fault.cuh).
#pragma once

namespace gyre {

/// How a launch stands. The numbers are those of ir::Status.
enum : unsigned { running = 0, stopped = 1, trip_limit = 2, cancelled = 3, faulted = 4 };
/// The numbers of ir::FaultKind.
enum : unsigned { out_of_bounds = 1, zero_step = 2, broken_promise = 3 };

/// As many launches of one executable may wait in a queue; each has a place of its own for what it
/// is told and what it tells.
inline constexpr unsigned queue_places = 8;

/// How a launch, or an arm of a fork, stands. The host reads that of the launch back as it is.
struct Control {
  unsigned status;
  /// How many blocks of the running kernel have ended, where its last one has more to do.
  unsigned ended_blocks;
  /// Number of the region that ended the launch, and of the label of its `stop`.
  unsigned region;
  unsigned label;
  long long code;
  /// The fault, its place in the order of faults, and what it met.
  unsigned fault;
  unsigned fault_kernel;
  unsigned fault_statement;
  unsigned fault_access;
  long long fault_point;
  long long fault_index[4];
  unsigned fault_lock;
  unsigned fault_buffer;
  /// Where the blocks of a resident loop meet (crew.cuh).
  unsigned barrier;
  unsigned unused;
  /// What the host gave: the limit of loops without one of their own.
  unsigned long long max_trips;
  /// For each place of the queue the launch to cancel, by the low bits of its number; written by
  /// the host through another stream, at any time.
  unsigned cancel[queue_places];
  /// Which launch this is; the last word that the host waits for.
  unsigned long long launch;
};

/// One conditional loop.
struct Loop {
  unsigned long long trips;
  unsigned long long limit;
  /// Where a body holds several copies of a trip: whether the next one runs. Each copy reads one
  /// and writes the other.
  unsigned guards[2];
  /// Whether the trips of this entry so far are odd in number: a guard too, of what is due once
  /// where trips take turns.
  unsigned odd;
  unsigned unused;
};

/// The head of the launch or the arm that a kernel belongs to. The rest of the state lies behind.
using State = char*;

__device__ inline Control& control(State state) {
  return *reinterpret_cast<Control*>(state);
}

template <class T>
__device__ inline T load_cell(State state, unsigned offset) {
  return *reinterpret_cast<T*>(state + offset);
}
template <>
__device__ inline bool load_cell<bool>(State state, unsigned offset) {
  return *reinterpret_cast<unsigned long long*>(state + offset) != 0;
}
/// Cells are 8 bytes; the upper ones of a narrow value are zero, as the host reads whole cells.
template <class T>
__device__ inline void store_cell(State state, unsigned offset, T value) {
  if constexpr (sizeof(T) == 8) {
    *reinterpret_cast<T*>(state + offset) = value;
  } else {
    unsigned long long bits = 0;
    if constexpr (sizeof(T) == 1) {
      bits = value ? 1 : 0;
    } else {
      memcpy(&bits, &value, sizeof(T));
    }
    *reinterpret_cast<unsigned long long*>(state + offset) = bits;
  }
}

/// Whether something before kernel number `kernel` ended the launch. What must not follow a stop is
/// branched around, and one may come while other blocks of its kernel run. A fault of the kernel
/// itself does not count: its other indices go on looking for a lesser one. The same for a whole
/// block.
__device__ inline bool ended(State state, unsigned kernel) {
  const Control& now = control(state);
  const bool over =
      now.status != running && now.status != stopped && now.fault_kernel != kernel + 1;
  return __syncthreads_or(over) != 0;
}

/// Whether a loop before this kernel ended the launch, at its limit or cancelled: nothing behind it
/// may run. `own` are the numbers of the regions of loops that this kernel decides about: one of
/// those may have ended the launch since, while other blocks of the kernel run. The same for a
/// whole block.
template <class... Regions>
__device__ inline bool is_over(State state, Regions... own) {
  const volatile Control& now = control(state);
  const unsigned status = now.status;
  bool over = status == cancelled || status == trip_limit;
  if constexpr (sizeof...(own) != 0) {
    if (status == trip_limit) {
      // The region was stored before the status was.
      __threadfence();
      const unsigned region = now.region;
      over = !((region == own) || ...);
    }
  }
  return __syncthreads_or(over) != 0;
}

/// Whether this block is the last of its kernel to end: it sees what the others have stored. All
/// threads of all blocks call it, once.
__device__ inline bool is_last_block(State state) {
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned& ended_blocks = control(state).ended_blocks;
    __threadfence();
    is_last = atomicAdd(&ended_blocks, 1u) + 1 == gridDim.x;
    if (is_last) ended_blocks = 0;
    __threadfence();
  }
  __syncthreads();
  return is_last;
}

__device__ inline void end_stopped(State state, unsigned label, long long code) {
  Control& now = control(state);
  if (now.status != running) return;
  now.status = stopped;
  now.label = label;
  now.code = code;
}

/// Counts. `counter` is the byte offset of a count; 0 means that nobody asks.
__device__ inline void count(State state, unsigned counter, unsigned long long more = 1) {
  // Nobody waits for the sum: an atomic that returns nothing needs no load.
  if (counter != 0) atomicAdd(reinterpret_cast<unsigned long long*>(state + counter), more);
}

/// Whether the host asked to end this launch; looked at once a kernel, early. The words of all
/// places at once: which of them is this launch's is known only when its number has been read.
__device__ inline bool is_cancelled(const Control& now) {
  const unsigned long long* pairs = reinterpret_cast<const unsigned long long*>(now.cancel);
  unsigned long long cancel[queue_places / 2];
  for (unsigned i = 0; i < queue_places / 2; ++i) cancel[i] = pairs[i];
  const unsigned long long launch = now.launch;
  const unsigned place = static_cast<unsigned>((launch - 1) % queue_places);
  bool found = false;
  for (unsigned i = 0; i < queue_places; ++i) {
    const auto word = static_cast<unsigned>(cancel[i / 2] >> (i % 2 * 32));
    found = found || (i == place && word == static_cast<unsigned>(launch));
  }
  return found;
}

/// Whether nothing has ended the launch.
__device__ inline bool runs(State state) {
  return control(state).status == running;
}

/// What a decision about a loop's next trip rests on beside its predicate: read early, so that it
/// is there when the predicate is.
struct LoopView {
  bool runs;
  bool is_cancelled;
  unsigned long long trips;
  unsigned long long limit;
};
__device__ inline LoopView look_at_loop(State state, unsigned loop_offset) {
  const Control& now = control(state);
  const Loop& loop = *reinterpret_cast<const Loop*>(state + loop_offset);
  return {runs(state), is_cancelled(now), loop.trips, loop.limit};
}

/// Whether a loop makes another trip; the one place that decides it. `steady`: a predicate that
/// holds after the first trip holds for ever.
__device__ inline bool decide_trip(State state, unsigned loop_offset, const LoopView& view,
                                   bool predicate, bool steady, unsigned counter, unsigned region) {
  Control& now = control(state);
  Loop& loop = *reinterpret_cast<Loop*>(state + loop_offset);
  loop.odd = static_cast<unsigned>(view.trips & 1);
  if (!view.runs) return false;
  if (view.is_cancelled) {
    // The kernel itself may have stopped the launch since it looked.
    if (now.status == running) now.status = cancelled;
    return false;
  }
  if (!predicate) return false;
  unsigned long long trips = view.trips;
  if (steady && trips == 1 && trips < view.limit) {
    count(state, counter, view.limit - trips);
    trips = view.limit;
  }
  if (trips >= view.limit) {
    // Blocks of this kernel that start late look at both (is_over).
    now.region = region;
    __threadfence();
    now.status = trip_limit;
    return false;
  }
  loop.trips = trips + 1;
  count(state, counter);
  return true;
}

/// No trip where a limit is negative.
__device__ inline unsigned long long limit_of(long long limit) {
  return limit < 0 ? 0 : static_cast<unsigned long long>(limit);
}

/// Before a loop's node: a new entry.
__device__ inline bool enter_loop(State state, unsigned loop_offset, LoopView view, long long limit,
                                  bool predicate, bool steady, unsigned counter, unsigned region) {
  view.trips = 0;
  view.limit = limit_of(limit);
  reinterpret_cast<Loop*>(state + loop_offset)->limit = view.limit;
  return decide_trip(state, loop_offset, view, predicate, steady, counter, region);
}

/// Whether the guard at that offset lets its kernels run; there is none at 0.
__device__ inline bool is_on(State state, unsigned guard) {
  // Loads that stand before this are to be under way meanwhile: the compiler may not move them
  // behind it, where they would wait for the guard.
  asm volatile("" ::: "memory");
  return guard == 0 || *reinterpret_cast<const unsigned*>(state + guard) != 0;
}
__device__ inline void set_guard(State state, unsigned guard, bool on) {
  *reinterpret_cast<unsigned*>(state + guard) = on ? 1 : 0;
}
/// The guards of a branch's arms, one behind the other: on for arm number `arm` (`arms`: for none).
__device__ inline void set_arm_guards(State state, unsigned first, unsigned arm, unsigned arms) {
  for (unsigned i = 0; i < arms; ++i) set_guard(state, first + 4 * i, i == arm);
}

/// Before a branch's node, in a launch that still `runs` or not: which of `arms` arms runs (`arms`:
/// none). Counters of the arms follow each other from `counter` on.
__device__ inline unsigned choose_arm(State state, bool runs, unsigned arm, unsigned arms,
                                      unsigned counter) {
  if (!runs) return arms;
  if (counter != 0) count(state, counter + 8 * arm);
  return arm;
}

/// Labels of a switch that run on: `first..last`, of one arm or of one each.
struct LabelRun {
  long long first;
  long long last;
  unsigned arm;
  bool counts;
};

/// The arm whose labels hold `selector`, else `otherwise`. Runs are constants: no memory is read.
template <class... Runs>
__device__ inline unsigned case_of(long long selector, unsigned otherwise, Runs... runs) {
  unsigned arm = otherwise;
  const auto look = [&](const LabelRun& run) {
    if (selector < run.first || selector >= run.last) return;
    arm = run.arm + (run.counts ? static_cast<unsigned>(selector - run.first) : 0);
  };
  (look(runs), ...);
  return arm;
}

/// The case that holds `selector` among `count` label ranges sorted by their first label, each as
/// first, last, case; else `otherwise`.
__device__ inline unsigned find_case(const long long* labels, unsigned count, long long selector,
                                     unsigned otherwise) {
  unsigned low = 0;
  unsigned high = count;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (selector >= labels[3 * middle + 1]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < count && selector >= labels[3 * low]) return static_cast<unsigned>(labels[3 * low + 2]);
  return otherwise;
}

}  // namespace gyre
