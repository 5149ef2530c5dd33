/// A mixture of experts of which each row is given to one (Fedus et al. 2021, "Switch
/// Transformers"), in three ways of sending rows to experts.
///
/// Leaves out capacities, several experts a row, and training.
#pragma once

#include "dense.hpp"
#include "mixture_model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace forwards {

enum class Routing {
  /// One gate for the whole batch (or for one token): a `switch` whose cases are the experts.
  Switch,
  /// A gate for each row: each expert runs on the rows that were sent to it, and not at all where
  /// there are none.
  Grouped,
  /// A gate for each row, and no branch: each row reads the weights of its own expert.
  Indexed,
};

struct Mixture {
  int experts = 4;
  Routing routing = Routing::Switch;
  DenseForm dense = dense_in_language;
};

namespace detail {

/// The program while it is built: its objects and its steps.
struct MixtureForward {
  explicit MixtureForward(const Mixture& of) : model(of) {}

  gyre::ir::Program build() {
    model.dense(p, {rows, experts, width, x, gate_w, gate_b, scores});
    switch (model.routing) {
      case Routing::Switch: send_batch(); break;
      case Routing::Grouped: send_groups(); break;
      case Routing::Indexed: send_rows(); break;
    }
    return p.finish();
  }

  void send_batch() {
    const auto chosen = p.let("chosen", argmax(0, experts, [&](auto e) {
                                return sum(0, rows, [&](auto r) { return scores(r, e); });
                              }));
    p.foreach(0, rows, [&](auto r) { expert[r] = gyre::cast<std::int32_t>(chosen); });
    auto cases = p.switch_(chosen);
    for (int e = 0; e + 1 < model.experts; ++e) cases.case_(e, [&] { ask(e); });
    cases.default_([&] { ask(model.experts - 1); });
  }

  void send_groups() {
    choose_for_each_row();
    std::vector<gyre::Value<bool>> is_wanted;
    for (int e = 0; e < model.experts; ++e) {
      const auto sent = any(0, rows, [&](auto r) { return expert[r] == e; });
      is_wanted.push_back(p.let("wants_" + std::to_string(e), sent));
    }
    for (int e = 0; e < model.experts; ++e) {
      p.if_(is_wanted[static_cast<std::size_t>(e)], [&] { ask(e, Rows{expert, e, true}); });
    }
  }

  void send_rows() {
    choose_for_each_row();
    ask(expert);
  }

  void choose_for_each_row() {
    p.foreach(0, rows, [&](auto r) {
      const auto best = argmax(0, experts, [&](auto e) { return scores(r, e); });
      expert[r] = gyre::cast<std::int32_t>(best);
    });
  }

  void ask(const Layer& e, const std::optional<Rows>& only = {}) {
    auto h = p.temp<float>("h", {rows, hidden});
    auto into_h = only;
    if (into_h) into_h->keep_others = false;
    model.dense(p, {rows, hidden, width, x, up_w, up_b, h, e, Activation::Relu, into_h});
    model.dense(p, {rows, width, hidden, h, down_w, down_b, y, e, Activation::Identity, only});
  }

  Mixture model;
  gyre::Program p{"mixture"};
  gyre::Size rows = p.size("rows"), width = p.size("width"), hidden = p.size("hidden");
  gyre::Size experts = p.size("experts");
  gyre::Buffer<float> x = p.in<float>("x", {rows, width});
  gyre::Buffer<float> gate_w = p.in<float>("gate_w", {1, experts, width});
  gyre::Buffer<float> gate_b = p.in<float>("gate_b", {1, experts});
  gyre::Buffer<float> up_w = p.in<float>("up_w", {experts, hidden, width});
  gyre::Buffer<float> up_b = p.in<float>("up_b", {experts, hidden});
  gyre::Buffer<float> down_w = p.in<float>("down_w", {experts, width, hidden});
  gyre::Buffer<float> down_b = p.in<float>("down_b", {experts, width});
  gyre::Buffer<float> y = p.out<float>("y", {rows, width});
  gyre::Buffer<std::int32_t> expert = p.out<std::int32_t>("expert", {rows});
  gyre::Buffer<float> scores = p.temp<float>("scores", {rows, experts});
};

}  // namespace detail

/// The forward of x [rows, width] through experts of up_w [experts, hidden, width], up_b [experts,
/// hidden], down_w [experts, width, hidden] and down_b [experts, width], by the gate gate_w [1,
/// experts, width], gate_b [1, experts]. Gives y [rows, width] and the expert of each row.
inline gyre::ir::Program mixture_program(const Mixture& model = {}) {
  return detail::MixtureForward(model).build();
}

/// Binds the model's weights, which outlive the launches.
inline void bind_weights(gyre::Executable& mixture, const MixtureModel& model) {
  const auto experts = static_cast<std::int64_t>(model.experts);
  const auto width = static_cast<std::int64_t>(model.width);
  const auto hidden = static_cast<std::int64_t>(model.hidden);
  mixture.bind_steady("gate_w", model.gate_w, {1, experts, width});
  mixture.bind_steady("gate_b", model.gate_b, {1, experts});
  mixture.bind_steady("up_w", model.up_w, {experts, hidden, width});
  mixture.bind_steady("up_b", model.up_b, {experts, hidden});
  mixture.bind_steady("down_w", model.down_w, {experts, width, hidden});
  mixture.bind_steady("down_b", model.down_b, {experts, width});
}

}  // namespace forwards
