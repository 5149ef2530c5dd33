/// What the steps of a Transducer compute (transducer.hpp).
#pragma once

#include "transducer.hpp"

namespace forwards {

// A member takes part in predict while its symbol is not the blank; before the first frame all do,
// who have "emitted" -1, and for whom the predictor sees the blank.
inline void Transducer::begin() {
  p_.foreach(0, members_, [&](auto m) { symbol_[m] = -1; });
  const auto frames = gyre::range("m", 0, members_) * gyre::range("t", zero_, shape_.most_frames);
  p_.foreach(gyre::range("j", zero_, shape_.joint) * frames, gyre::Team::Warp,
             [&](auto j, auto m, auto t) {
               p_.if_(t < frame_count_[m], [&] {
                 from_frame_(m, t, j) = joint_bias_[j] + sum(zero_, shape_.encoder, [&](auto k) {
                                          return frame_projection_(j, k) * frames_(m, t, k);
                                        });
               });
             });
  predict();
}

inline void Transducer::begin_frame(const gyre::Value<std::int32_t>& frame) {
  p_.foreach(0, members_, [&](auto m) {
    symbol_[m] = select(frame < frame_count_[m], gyre::constant<std::int32_t>(-1),
                        gyre::constant<std::int32_t>(blank));
  });
}

// logits = W tanh(from_frame + from_state) + b
inline void Transducer::emit(const gyre::Value<std::int32_t>& frame) {
  for_outputs(shape_.vocabulary, [&](auto v, auto m) {
    p_.if_(symbol_[m] != blank, [&] {
      logits_(m, v) = output_bias_[v] + sum(zero_, shape_.joint, [&](auto j) {
                        return output_(v, j) * tanh(from_frame_(m, frame, j) + from_state_(m, j));
                      });
    });
  });
  p_.foreach(gyre::range("m", 0, members_), gyre::Team::Block, [&](auto m) {
    p_.if_(symbol_[m] != blank, [&] {
      auto next =
          p_.let("next", gyre::cast<std::int32_t>(argmax(zero_, shape_.vocabulary,
                                                         [&](auto v) { return logits_(m, v); })));
      symbol_[m] = next;
      p_.if_(next != blank, [&] {
        auto number = p_.let("number", length_[m]);
        scatter(symbols_(m, number)) = next;
        scatter(at_frame_(m, number)) = frame;
        scatter(emitted_(m, number % places_)) =
            (gyre::cast<std::int64_t>(number) + 1) << 32 | gyre::cast<std::int64_t>(next);
        length_[m] = number + 1;
      });
    });
  });
}

// i, f, g, o = W x + U h + b; c = σ(f) c + σ(i) tanh(g); h = σ(o) tanh(c)
inline void Transducer::predict() {
  const auto sigmoid = [](const auto& x) { return 1 / (1 + exp(-x)); };
  for_outputs(shape_.predictor, [&](auto j, auto m) {
    p_.if_(symbol_[m] != blank, [&] {
        auto seen = p_.let("seen", max(symbol_[m], blank));
        const auto gate = [&](const char* name, int number) {
          auto product = p_.let(name, sum(zero_, shape_.predictor, [&](auto k) {
                                  return input_(number, j, k) * embedding_(seen, k) +
                                         recurrent_(number, j, k) * state_(m, k);
                                }));
          return product + gate_bias_(number, j);
        };
        auto in = gate("in_gate", 0);
        auto keep = gate("keep_gate", 1);
        auto fresh = gate("fresh", 2);
        auto out = gate("out_gate", 3);
        auto cell = p_.let("cell_value", sigmoid(keep) * cell_(m, j) + sigmoid(in) * tanh(fresh));
        cell_(m, j) = cell;
        next_state_(m, j) = sigmoid(out) * tanh(cell);
      }).else_([&] { next_state_(m, j) = state_(m, j); });
  });
  for_outputs(shape_.joint, [&](auto j, auto m) {
    p_.if_(symbol_[m] != blank, [&] {
      from_state_(m, j) = sum(zero_, shape_.predictor,
                              [&](auto k) { return state_projection_(j, k) * next_state_(m, k); });
    });
  });
  p_.copy(state_, next_state_);
}

}  // namespace forwards
