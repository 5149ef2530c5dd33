/// A gated cascade: a cheap detector looks at every row, and an expensive classifier runs only
/// where it fires (Viola and Jones 2001, in two stages).
///
/// The classifier runs for a batch of which any row fires, and then works on those rows. Leaves out
/// training.
#pragma once

#include "cascade_model.hpp"
#include "dense.hpp"

#include <cstdint>

namespace forwards {

struct Cascade {
  /// Layers of the classifier ahead of its head.
  int depth = 4;
  DenseForm dense = dense_in_language;
};

namespace detail {

/// The program while it is built: its objects and its steps.
struct CascadeForward {
  explicit CascadeForward(const Cascade& of) : model(of) {}

  gyre::ir::Program build() {
    detect();
    p.if_(any(0, rows, [&](auto r) { return fired[r] != 0; }), [&] { classify(); });
    return p.finish();
  }

  void detect() {
    model.dense(p, {rows, narrow, width, x, detect_w, detect_b, seen, 0, Activation::Relu});
    p.foreach(0, rows, [&](auto r) {
      const auto score = sum(0, narrow, [&](auto k) { return score_w[k] * seen(r, k); });
      fired[r] = select(score > threshold, 1, gyre::constant<std::int32_t>(0));
      label[r] = -1;
    });
  }

  void classify() {
    const Rows those_fired{fired, 1};
    auto from = x;
    for (int layer = 0; layer < model.depth; ++layer) {
      const auto to = layer % 2 == 0 ? h : next;
      model.dense(p, {rows, width, width, from, w, b, to, layer, Activation::Relu, those_fired});
      from = to;
    }
    model.dense(p, {rows, classes, width, from, head_w, head_b, logits, 0, Activation::Identity,
                    those_fired});
    p.foreach(0, rows, [&](auto r) {
      p.if_(fired[r] == 1, [&] {
        const auto best = argmax(0, classes, [&](auto c) { return logits(r, c); });
        label[r] = gyre::cast<std::int32_t>(best);
      });
    });
  }

  Cascade model;
  gyre::Program p{"cascade"};
  gyre::Size rows = p.size("rows"), width = p.size("width"), narrow = p.size("narrow");
  gyre::Size classes = p.size("classes");
  gyre::Buffer<float> x = p.in<float>("x", {rows, width});
  gyre::Buffer<float> detect_w = p.in<float>("detect_w", {1, narrow, width});
  gyre::Buffer<float> detect_b = p.in<float>("detect_b", {1, narrow});
  gyre::Buffer<float> score_w = p.in<float>("score_w", {narrow});
  gyre::Scalar<float> threshold = p.in<float>("threshold", 0.0F);
  gyre::Buffer<float> w = p.in<float>("w", {model.depth, width, width});
  gyre::Buffer<float> b = p.in<float>("b", {model.depth, width});
  gyre::Buffer<float> head_w = p.in<float>("head_w", {1, classes, width});
  gyre::Buffer<float> head_b = p.in<float>("head_b", {1, classes});
  gyre::Buffer<std::int32_t> fired = p.out<std::int32_t>("fired", {rows});
  gyre::Buffer<std::int32_t> label = p.out<std::int32_t>("label", {rows});
  gyre::Buffer<float> seen = p.temp<float>("seen", {rows, narrow});
  gyre::Buffer<float> h = p.temp<float>("h", {rows, width});
  gyre::Buffer<float> next = p.temp<float>("next", {rows, width});
  gyre::Buffer<float> logits = p.temp<float>("logits", {rows, classes});
};

}  // namespace detail

/// The forward of x [rows, width]: the detector detect_w [1, narrow, width], detect_b [1, narrow],
/// score_w [narrow] with its threshold; the classifier w [depth, width,
/// width], b [depth, width], head_w [1, classes, width], head_b [1, classes]. Gives of each row
/// whether it fired, and its label: a class, or -1 where it did not fire.
inline gyre::ir::Program cascade_program(const Cascade& model = {}) {
  return detail::CascadeForward(model).build();
}

/// Binds the model's weights, which outlive the launches.
inline void bind_weights(gyre::Executable& cascade, const CascadeModel& model) {
  const auto depth = static_cast<std::int64_t>(model.depth);
  const auto width = static_cast<std::int64_t>(model.width);
  const auto narrow = static_cast<std::int64_t>(model.narrow);
  const auto classes = static_cast<std::int64_t>(model.classes);
  cascade.bind_steady("detect_w", model.detect_w, {1, narrow, width});
  cascade.bind_steady("detect_b", model.detect_b, {1, narrow});
  cascade.bind_steady("score_w", model.score_w);
  cascade.bind_steady("w", model.w, {depth, width, width});
  cascade.bind_steady("b", model.b, {depth, width});
  cascade.bind_steady("head_w", model.head_w, {1, classes, width});
  cascade.bind_steady("head_b", model.head_b, {1, classes});
  cascade.set("threshold", model.threshold);
}

}  // namespace forwards
