/// What the benches of branches compare: one way to run a forward whose path the data decides.
#pragma once

#include "support/device_array.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gyre::bench {

/// h = 2 x, then y = h + addend_of(which), by the arm that `which` names. All lie on the GPU.
struct ForwardBuffers {
  explicit ForwardBuffers(std::size_t count);

  /// Writes `which`, and returns when it is there.
  void choose(std::int32_t arm);
  /// Whether y is what that arm makes of x.
  bool hold_result_of(std::int32_t arm) const;

  DeviceArray<float> x, h, y;
  DeviceArray<std::int32_t> which;
};

/// Of two arms, the one that is not taken subtracts 1 and the other adds it.
inline float addend_of(int arm) {
  return arm == 0 ? -1.0F : static_cast<float>(arm);
}

class ForwardWay {
 public:
  virtual ~ForwardWay() = default;

  virtual std::string name() const = 0;
  virtual bool is_gyre() const { return false; }

  /// Makes ready a forward of so many arms. The buffers outlive the runs.
  virtual void prepare(int arms, ForwardBuffers& buffers) = 0;
  /// From launch to result.
  virtual void run() = 0;
};

using ForwardWays = std::vector<std::unique_ptr<ForwardWay>>;

}  // namespace gyre::bench
