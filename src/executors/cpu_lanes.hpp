/// Which lanes of a block run: all of them, or a list.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace gyre::executors::cpu {

/// Active lanes, ascending. Without a list: all from 0 to `count`.
struct Lanes {
  const std::int32_t* list = nullptr;
  int count = 0;

  int operator[](int at) const { return list == nullptr ? at : list[at]; }
};

/// Calls `function(lane)` for each active lane, in order.
template <class Function>
void for_each_lane(const Lanes& lanes, Function function) {
  if (lanes.list == nullptr) {
    for (int i = 0; i < lanes.count; ++i) function(i);
  } else {
    for (int i = 0; i < lanes.count; ++i) function(lanes.list[i]);
  }
}

/// Why a lane does not run at the moment: bits.
enum LaneState : std::uint8_t {
  Running = 0,
  /// Waits for the next trip of its innermost loop.
  Waiting = 1,
  /// Has left its innermost loop.
  Left = 2,
  /// Has faulted.
  Dead = 4,
};

/// A group of terms that belong to one lane of the parent context.
struct Segment {
  std::int32_t lane;
  std::int32_t first;
  std::int32_t count;
};

/// A set of lanes at work: the points of a block, or the terms of a fold.
struct Context {
  int lanes = 0;
  int capacity = 0;
  std::vector<std::uint8_t> state;
  /// Changes whenever a lane stops running.
  std::uint32_t epoch = 0;
  /// Some state is not Running since the last start.
  bool dirty = false;
  /// Root: the linear index of lane 0.
  std::int64_t linear = 0;
  /// Scratch: the element that each lane accesses.
  std::vector<std::int64_t> offsets;

  /// Fold: whose terms the lanes are. `owners` is filled where it is asked for.
  Context* parent = nullptr;
  std::vector<Segment> segments;
  int segment_count = 0;
  /// Which term of its fold lane 0 is: not 0 only where one fold takes several blocks.
  std::int64_t done = 0;
  std::vector<std::int32_t> owners;
  bool owners_known = false;

  /// Starts afresh with `count` lanes, all running.
  void start(int count);
  void mark(int lane, LaneState why) {
    state[static_cast<std::size_t>(lane)] |= why;
    dirty = true;
    ++epoch;
  }
  /// The segment that a term belongs to.
  const Segment& segment_of(int term) const;
  /// The parent's lane of each term.
  const std::int32_t* owner_list();
};

/// Lists of lanes, taken and given back like a stack; a list holds as many lanes as any context.
class LaneStack {
 public:
  explicit LaneStack(int capacity) : capacity_(capacity) {}

  std::int32_t* take();
  std::size_t mark() const { return used_; }
  void release(std::size_t mark) { used_ = mark; }

 private:
  int capacity_;
  std::size_t used_ = 0;
  std::vector<std::unique_ptr<std::int32_t[]>> lists_;
};

/// Gives back, at its end, the lists taken since.
class LaneFrame {
 public:
  explicit LaneFrame(LaneStack& stack) : stack_(stack), mark_(stack.mark()) {}
  LaneFrame(const LaneFrame&) = delete;
  LaneFrame& operator=(const LaneFrame&) = delete;
  ~LaneFrame() { stack_.release(mark_); }

 private:
  LaneStack& stack_;
  std::size_t mark_;
};

/// What a fold keeps while it runs: the ranges of each lane, and the strands of a long one.
struct FoldScratch {
  struct Range {
    std::vector<std::int64_t> begin;
    std::vector<std::int64_t> step;
    std::vector<std::int64_t> count;
  };
  std::vector<Range> ranges;
  std::vector<std::int64_t> terms;
  std::vector<std::int64_t> strands;
};

}  // namespace gyre::executors::cpu
