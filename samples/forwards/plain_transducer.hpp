/// The transducer as straight C++, one recording at a time: what the program is compared with.
#pragma once

#include "plain.hpp"
#include "transducer_weights.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace forwards::plain {

/// What was heard in a recording, and how clear it was.
struct Heard {
  std::vector<std::int32_t> symbols, at_frame;
  /// By how much the likeliest symbol led the next one, at the closest of the choices.
  float least_lead = INFINITY;
};

class Transducer {
 public:
  explicit Transducer(const TransducerWeights& weights)
      : w_(weights), state_(size(weights.shape.predictor)), cell_(state_.size()) {
    see(blank);
  }

  /// The `frame_count` frames that begin at `frames`.
  Heard hear(const float* frames, std::int32_t frame_count) {
    Heard heard;
    for (std::int32_t t = 0; t < frame_count; ++t) {
      const float* frame = frames + t * w_.shape.encoder;
      for (int count = 0; count < w_.shape.symbols_per_frame; ++count) {
        std::vector<float> logits = joint(frame);
        const std::size_t next = largest(logits);
        const float best = std::exchange(logits[next], -INFINITY);
        heard.least_lead = std::min(heard.least_lead, best - logits[largest(logits)]);
        if (next == blank) break;
        heard.symbols.push_back(static_cast<std::int32_t>(next));
        heard.at_frame.push_back(t);
        see(next);
      }
    }
    return heard;
  }

 private:
  static std::size_t size(int number) { return static_cast<std::size_t>(number); }
  static float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

  std::vector<float> joint(const float* frame) const {
    const std::size_t width = size(w_.shape.joint);
    const std::size_t encoder = size(w_.shape.encoder);
    const std::vector<float> zeros(width);
    const auto from_frame = dense(w_.frame_projection.data(), w_.joint_bias.data(), width,
                                  {frame, frame + encoder}, false);
    const auto from_state = dense(w_.state_projection.data(), zeros.data(), width, state_, false);
    std::vector<float> h(width);
    for (std::size_t j = 0; j < width; ++j) h[j] = std::tanh(from_frame[j] + from_state[j]);
    return dense(w_.output.data(), w_.output_bias.data(), size(w_.shape.vocabulary), h, false);
  }

  void see(std::size_t symbol) {
    const std::size_t width = state_.size();
    const float* seen = &w_.embedding[symbol * width];
    const auto gate = [&](std::size_t number, std::size_t j) {
      const std::size_t row = (number * width + j) * width;
      return sum(width,
                 [&](std::size_t k) {
                   return w_.input[row + k] * seen[k] + w_.recurrent[row + k] * state_[k];
                 }) +
             w_.gate_bias[number * width + j];
    };
    std::vector<float> next(width);
    for (std::size_t j = 0; j < width; ++j) {
      cell_[j] = sigmoid(gate(1, j)) * cell_[j] + sigmoid(gate(0, j)) * std::tanh(gate(2, j));
      next[j] = sigmoid(gate(3, j)) * std::tanh(cell_[j]);
    }
    state_ = std::move(next);
  }

  const TransducerWeights& w_;
  std::vector<float> state_, cell_;
};

}  // namespace forwards::plain
