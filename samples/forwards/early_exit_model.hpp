/// The weights of the model that leaves early, and its forward as straight C++, without gyre.
#pragma once

#include "plain.hpp"
#include "weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace forwards {

struct EarlyExitShape {
  std::size_t blocks, width, classes;
};

struct EarlyExitModel : EarlyExitShape {
  EarlyExitModel(const EarlyExitShape& shape, std::uint64_t seed)
      : EarlyExitShape(shape),
        w(make_weights(seed, blocks * width * width, width)),
        b(make_values(seed + 1, blocks * width, 0.1F)),
        head_w(make_weights(seed + 2, blocks * classes * width, width)),
        head_b(make_values(seed + 3, blocks * classes, 0.1F)),
        threshold(blocks, 0.5F) {}

  std::vector<float> w, b, head_w, head_b, threshold;
};

/// What becomes of a row: its class, the block behind which it was done, and how much a logit would
/// have to change for either to be another.
struct EarlyAnswer {
  std::int32_t label, left_after;
  float slack;
};

namespace plain {

inline EarlyAnswer early_exit(const EarlyExitModel& model, std::vector<float> h) {
  float slack = std::numeric_limits<float>::infinity();
  for (std::size_t block = 0;; ++block) {
    h = dense(model.w.data() + block * model.width * model.width,
              model.b.data() + block * model.width, model.width, h, true);
    std::vector<float> logits =
        dense(model.head_w.data() + block * model.classes * model.width,
              model.head_b.data() + block * model.classes, model.classes, h, false);
    const std::size_t best = largest(logits);
    const float first = logits[best];
    logits.erase(logits.begin() + static_cast<std::ptrdiff_t>(best));
    const float margin = first - logits[largest(logits)];
    const bool is_last = block + 1 == model.blocks;
    slack = std::min(slack, is_last ? margin : std::abs(margin - model.threshold[block]));
    if (margin >= model.threshold[block] || is_last) {
      return {static_cast<std::int32_t>(best), static_cast<std::int32_t>(block), slack};
    }
  }
}

}  // namespace plain
}  // namespace forwards
