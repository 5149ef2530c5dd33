/// A classifier that leaves early: an MLP with a head behind each block, in which a row of the
/// batch is done at the first head that is confident of it (BranchyNet, Teerapittayanon et al.
/// 2016, by margin instead of entropy).
///
/// A head is confident where its largest logit is ahead of the second one by the block's threshold;
/// the last block's answer counts in any case. Blocks that no row waits for do not run. What a row
/// gets does not depend on the rest of its batch. Leaves out training.
#pragma once

#include "dense.hpp"
#include "early_exit_model.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace forwards {

struct EarlyExit {
  int blocks = 4;
  DenseForm dense = dense_in_language;
  /// Whether the blocks are a loop, or each stands in the branch of the one before it. Layers that
  /// are calls to a library want the latter, as each then knows its weights.
  bool nested = false;
};

namespace detail {

/// The program while it is built: its objects and its steps.
struct EarlyExitForward {
  static constexpr std::int32_t not_yet = -1;
  using Some = std::optional<Rows>;
  using Features = gyre::Buffer<float>;

  explicit EarlyExitForward(const EarlyExit& of) : model(of) {}

  gyre::ir::Program build() {
    run_block(0, x, h, {});
    if (model.nested) {
      run_those_behind(0);
    } else {
      p.while_(waiting > 0, {.limit = blocks - 1}, [&] {
        run_block(blocks_run, h, next, those_waiting);
        p.copy(h, next);
      });
    }
    return p.finish();
  }

  void run_those_behind(int block) {
    if (block + 1 == blocks) return;
    p.if_(waiting > 0, [&] {
      const bool even = block % 2 == 0;
      run_block(block + 1, even ? h : next, even ? next : h, those_waiting);
      run_those_behind(block + 1);
    });
  }

  void run_block(const Layer& block, const Features& from, const Features& to, const Some& only) {
    model.dense(p, {rows, width, width, from, w, b, to, block, Activation::Relu, only});
    model.dense(
        p, {rows, classes, width, to, head_w, head_b, logits, block, Activation::Identity, only});
    p.foreach(0, rows, [&](auto r) {
      if (only) {
        p.if_(left_after[r] == not_yet, [&] { answer(r); });
      } else {
        answer(r);
      }
    });
    waiting = count(0, rows, [&](auto r) { return left_after[r] == not_yet; });
    blocks_run += 1;
  }

  /// The answer stands until that of a later block replaces it.
  void answer(const gyre::Value<std::int64_t>& r) {
    const auto best = p.let("best", argmax(0, classes, [&](auto c) { return logits(r, c); }));
    const auto second = max(0, classes, [&](auto c) {
      return select(c == best, -std::numeric_limits<float>::infinity(), logits(r, c));
    });
    const auto confident = logits(r, best) - second >= threshold[blocks_run];
    label[r] = gyre::cast<std::int32_t>(best);
    left_after[r] = select(confident || blocks_run + 1 == blocks, blocks_run, not_yet);
  }

  EarlyExit model;
  int blocks = model.blocks;
  gyre::Program p{"early_exit"};
  gyre::Size rows = p.size("rows"), width = p.size("width"), classes = p.size("classes");
  Features x = p.in<float>("x", {rows, width}), threshold = p.in<float>("threshold", {blocks});
  Features w = p.in<float>("w", {blocks, width, width}), b = p.in<float>("b", {blocks, width});
  Features head_w = p.in<float>("head_w", {blocks, classes, width});
  Features head_b = p.in<float>("head_b", {blocks, classes});
  gyre::Buffer<std::int32_t> label = p.out<std::int32_t>("label", {rows});
  gyre::Buffer<std::int32_t> left_after = p.out<std::int32_t>("left_after", {rows});
  gyre::Scalar<std::int32_t> blocks_run = p.out("blocks_run", 0);
  Features h = p.temp<float>("h", {rows, width}), next = p.temp<float>("next", {rows, width});
  Features logits = p.temp<float>("logits", {rows, classes});
  gyre::Scalar<std::int64_t> waiting = p.var<std::int64_t>("waiting");
  Rows those_waiting{left_after, not_yet};
};

}  // namespace detail

/// The forward of x [rows, width] through w [blocks, width, width], b [blocks, width] and heads
/// head_w [blocks, classes, width], head_b [blocks, classes], with threshold [blocks]. Gives the
/// class of each row in label [rows], in left_after [rows] the block behind which it was done, and
/// in blocks_run how many blocks ran.
inline gyre::ir::Program early_exit_program(const EarlyExit& model = {}) {
  return detail::EarlyExitForward(model).build();
}

/// Binds the model's weights, which outlive the launches.
inline void bind_weights(gyre::Executable& early_exit, const EarlyExitModel& model) {
  const auto blocks = static_cast<std::int64_t>(model.blocks);
  const auto width = static_cast<std::int64_t>(model.width);
  const auto classes = static_cast<std::int64_t>(model.classes);
  early_exit.bind_steady("w", model.w, {blocks, width, width});
  early_exit.bind_steady("b", model.b, {blocks, width});
  early_exit.bind_steady("head_w", model.head_w, {blocks, classes, width});
  early_exit.bind_steady("head_b", model.head_b, {blocks, classes});
  early_exit.bind_steady("threshold", model.threshold);
}

}  // namespace forwards
