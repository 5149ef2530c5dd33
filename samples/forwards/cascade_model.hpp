/// The weights of a cascade, and its forward as straight C++, without gyre.
#pragma once

#include "plain.hpp"
#include "weights.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forwards {

/// A detector of two layers, width → narrow → 1, and a classifier of `depth` layers with a head.
struct CascadeShape {
  std::size_t depth, width, narrow, classes;
};

struct CascadeModel : CascadeShape {
  CascadeModel(const CascadeShape& shape, std::uint64_t seed)
      : CascadeShape(shape),
        detect_w(make_weights(seed, narrow * width, width)),
        detect_b(make_values(seed + 1, narrow, 0.1F)),
        score_w(make_weights(seed + 2, narrow, narrow)),
        w(make_weights(seed + 3, depth * width * width, width)),
        b(make_values(seed + 4, depth * width, 0.1F)),
        head_w(make_weights(seed + 5, classes * width, width)),
        head_b(make_values(seed + 6, classes, 0.1F)) {}

  std::vector<float> detect_w, detect_b, score_w, w, b, head_w, head_b;
  float threshold = 0;
};

namespace plain {

/// What the detector gives a row; it fires above the threshold.
inline float detect(const CascadeModel& model, const std::vector<float>& x) {
  const auto h = dense(model.detect_w.data(), model.detect_b.data(), model.narrow, x, true);
  return sum(model.narrow, [&](std::size_t k) { return model.score_w[k] * h[k]; });
}

/// The class of a row, or -1 where the detector does not fire.
inline std::int32_t cascade(const CascadeModel& model, std::vector<float> h) {
  if (!(detect(model, h) > model.threshold)) return -1;
  for (std::size_t layer = 0; layer < model.depth; ++layer) {
    h = dense(model.w.data() + layer * model.width * model.width,
              model.b.data() + layer * model.width, model.width, h, true);
  }
  return static_cast<std::int32_t>(
      largest(dense(model.head_w.data(), model.head_b.data(), model.classes, h, false)));
}

}  // namespace plain
}  // namespace forwards
