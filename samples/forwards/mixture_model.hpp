/// The weights of a mixture of experts, and its forwards as straight C++, without gyre.
#pragma once

#include "plain.hpp"
#include "weights.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace forwards {

/// Experts of two layers, width → hidden → width, and a gate that scores each expert for a row.
struct MixtureShape {
  std::size_t experts, width, hidden;
};

struct MixtureModel : MixtureShape {
  MixtureModel(const MixtureShape& shape, std::uint64_t seed)
      : MixtureShape(shape),
        gate_w(make_weights(seed, experts * width, width)),
        gate_b(make_values(seed + 1, experts, 0.1F)),
        up_w(make_weights(seed + 2, experts * hidden * width, width)),
        up_b(make_values(seed + 3, experts * hidden, 0.1F)),
        down_w(make_weights(seed + 4, experts * width * hidden, hidden)),
        down_b(make_values(seed + 5, experts * width, 0.1F)) {}

  std::vector<float> gate_w, gate_b, up_w, up_b, down_w, down_b;
};

namespace plain {

/// What the gate gives each expert for a row.
inline std::vector<float> scores(const MixtureModel& model, const std::vector<float>& x) {
  return dense(model.gate_w.data(), model.gate_b.data(), model.experts, x, false);
}

/// The expert of a row: the one with the largest score.
inline std::size_t expert_of_row(const MixtureModel& model, const std::vector<float>& x) {
  return largest(scores(model, x));
}

/// The expert of a whole batch: the one with the largest score over all rows together.
inline std::size_t expert_of_batch(const MixtureModel& model,
                                   const std::vector<std::vector<float>>& batch) {
  std::vector<std::vector<float>> of_rows;
  for (const auto& x : batch) of_rows.push_back(scores(model, x));
  std::vector<float> totals(model.experts);
  for (std::size_t e = 0; e < model.experts; ++e) {
    totals[e] = sum(batch.size(), [&](std::size_t row) { return of_rows[row][e]; });
  }
  return largest(totals);
}

/// What an expert makes of a row.
inline std::vector<float> ask_expert(const MixtureModel& model, std::size_t expert,
                                     const std::vector<float>& x) {
  const std::size_t weights = expert * model.hidden * model.width;
  const auto h = dense(model.up_w.data() + weights, model.up_b.data() + expert * model.hidden,
                       model.hidden, x, true);
  return dense(model.down_w.data() + weights, model.down_b.data() + expert * model.width,
               model.width, h, false);
}

}  // namespace plain
}  // namespace forwards
