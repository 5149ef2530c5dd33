/// What the bench of loops compares: one way to run a loop of small kernels.
#pragma once

#include "support/device_array.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gyre::bench {

struct LoopShape {
  /// Of the body.
  int kernels;
  std::int64_t trips;
};

/// What the kernels of the body read and write in turns.
struct LoopBuffers {
  explicit LoopBuffers(std::size_t count) : a(count), b(count) {}

  void reset() {
    a.clear();
    b.clear();
  }

  DeviceArray<float> a, b;
};

class LoopWay {
 public:
  virtual ~LoopWay() = default;

  virtual std::string name() const = 0;
  virtual bool is_gyre() const { return false; }

  /// Makes ready what can be. The buffers outlive the runs.
  virtual void prepare(const LoopShape& shape, LoopBuffers& buffers) = 0;
  /// From launch to result; gives the trips that were made.
  virtual std::int64_t run() = 0;
};

using LoopWays = std::vector<std::unique_ptr<LoopWay>>;

}  // namespace gyre::bench
