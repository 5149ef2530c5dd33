/// Greedy decode of a transducer (Graves 2012, "Sequence transduction with recurrent neural
/// networks"): for each frame of a recording symbols until the blank comes, two loops in each
/// other, wholly on the device.
///
/// The encoder has run: its frames are the input. A predictor, one LSTM, remembers the symbols so
/// far; the joint network is tanh of the sum of both, and a dense layer. Members of a batch have as
/// many frames as they have, and emit as many symbols at a frame as they do.
#pragma once

#include <gyre/gyre.hpp>

#include <cstdint>

namespace forwards {

struct TransducerShape {
  int encoder = 32;
  int predictor = 32;
  int joint = 32;
  /// Symbols, the blank included, which is 0.
  int vocabulary = 28;
  int most_frames = 64;
  /// At one frame; behind them the next one comes.
  int symbols_per_frame = 4;

  int most_symbols() const { return most_frames * symbols_per_frame; }
};

inline constexpr int blank = 0;

/// The statements of a transducer's decode.
class Transducer {
 public:
  Transducer(gyre::Program& program, const TransducerShape& shape);

  const gyre::Size& members() const { return members_; }
  /// Projects all frames, and lets the predictor see the blank, which stands for the start.
  void begin();
  /// Lets each member take part that has a frame of this number.
  void begin_frame(const gyre::Value<std::int32_t>& frame);
  /// The likeliest symbol of each member that takes part, which it emits unless that is the blank:
  /// then it has done with this frame.
  void emit(const gyre::Value<std::int32_t>& frame);
  /// Lets the predictor see what was emitted.
  void predict();

  auto any_emits() const {
    return any(0, members_, [&](auto m) { return symbol_[m] != blank; });
  }
  auto longest() const {
    return max(0, members_, [&](auto m) { return frame_count_[m]; });
  }

 private:
  // For each output `j` of a layer and each member that has emitted, a warp.
  template <class Body>
  void for_outputs(int outputs, const Body& body) {
    p_.foreach(gyre::range("j", zero_, outputs) * gyre::range("m", 0, members_), gyre::Team::Warp,
               body);
  }

  gyre::Program& p_;
  TransducerShape shape_;
  gyre::Size members_, places_;
  gyre::Value<std::int32_t> zero_;
  /// [members, most_frames, encoder] and [members]: what was recorded.
  gyre::Buffer<float> frames_;
  gyre::Buffer<std::int32_t> frame_count_;
  gyre::Buffer<float> embedding_, input_, recurrent_, gate_bias_, frame_projection_, joint_bias_,
      state_projection_, output_, output_bias_;
  /// [members, most_symbols] The symbols and the frames that they belong to; [members] how many.
  gyre::Buffer<std::int32_t> symbols_, at_frame_, length_;
  /// [members, places] As that of a decode loop (token_ring.hpp), by the number of the symbol.
  gyre::Buffer<std::int64_t> emitted_;
  /// [members] What was emitted last: the blank of one that has done with its frame.
  gyre::Buffer<std::int32_t> symbol_;
  gyre::Buffer<float> state_, next_state_, cell_, from_frame_, from_state_, logits_;
};

inline gyre::ir::Program transducer_decode(const TransducerShape& shape) {
  gyre::Program p("transducer");
  Transducer transducer(p, shape);
  auto frame = p.out("frames_done", 0);
  auto rounds = p.out<std::int64_t>("rounds");
  auto longest = p.var<std::int32_t>("longest");
  transducer.begin();
  longest = transducer.longest();
  p.while_(frame < longest, {.expect = shape.most_frames}, [&] {
    auto emits = p.var("emits", true);
    auto count = p.var("count", 0);
    transducer.begin_frame(frame);
    p.while_(emits && count < shape.symbols_per_frame, {.expect = 2}, [&] {
      transducer.emit(frame);
      emits = transducer.any_emits();
      count += 1;
      rounds += 1;
      p.if_(emits, [&] { transducer.predict(); });
    });
    frame += 1;
  });
  return p.finish();
}

inline Transducer::Transducer(gyre::Program& program, const TransducerShape& s)
    : p_(program),
      shape_(s),
      members_(p_.size("members")),
      places_(p_.size("places")),
      zero_(p_.constant(0)),
      frames_(p_.in<float>("frames", {members_, s.most_frames, s.encoder})),
      frame_count_(p_.in<std::int32_t>("frame_count", {members_})),
      embedding_(p_.in<float>("embedding", {s.vocabulary, s.predictor})),
      input_(p_.in<float>("input", {4, s.predictor, s.predictor})),
      recurrent_(p_.in<float>("recurrent", {4, s.predictor, s.predictor})),
      gate_bias_(p_.in<float>("gate_bias", {4, s.predictor})),
      frame_projection_(p_.in<float>("frame_projection", {s.joint, s.encoder})),
      joint_bias_(p_.in<float>("joint_bias", {s.joint})),
      state_projection_(p_.in<float>("state_projection", {s.joint, s.predictor})),
      output_(p_.in<float>("output", {s.vocabulary, s.joint})),
      output_bias_(p_.in<float>("output_bias", {s.vocabulary})),
      symbols_(p_.out<std::int32_t>("symbols", {members_, s.most_symbols()})),
      at_frame_(p_.out<std::int32_t>("at_frame", {members_, s.most_symbols()})),
      length_(p_.out<std::int32_t>("length", {members_})),
      emitted_(p_.out<std::int64_t>("emitted", {members_, places_})),
      symbol_(p_.temp<std::int32_t>("symbol", {members_})),
      state_(p_.temp<float>("state", {members_, s.predictor})),
      next_state_(p_.temp<float>("next_state", {members_, s.predictor})),
      cell_(p_.temp<float>("cell", {members_, s.predictor})),
      from_frame_(p_.temp<float>("from_frame", {members_, s.most_frames, s.joint})),
      from_state_(p_.temp<float>("from_state", {members_, s.joint})),
      logits_(p_.temp<float>("logits", {members_, s.vocabulary})) {}

}  // namespace forwards

#include "transducer_steps.hpp"
