// The models of the samples as forwards to measure.
#include "forwards/cascade.hpp"
#include "forwards/early_exit.hpp"
#include "forwards/mixture.hpp"
#include "support/model_forward.hpp"

#include <limits>

namespace gyre::bench {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
using ir::ScalarType;

std::int64_t whole(std::size_t number) {
  return static_cast<std::int64_t>(number);
}

// Of the slots 0, 1, 2, … so many in a hundred are taken, spread evenly.
bool is_taken(std::size_t slot, int percent) {
  const auto taken_before = [&](std::size_t slots) {
    return slots * static_cast<std::size_t>(percent) / 100;
  };
  return taken_before(slot + 1) > taken_before(slot);
}

std::shared_ptr<DeviceArray<float>> on_gpu(const std::vector<float>& values) {
  return std::make_shared<DeviceArray<float>>(values);
}

// The first row of what a launch gets as x.
std::vector<float> first_row(const Contents& contents, const ModelMemory& memory,
                             std::size_t width) {
  const auto given = contents.find("x");
  std::vector<float> x = given != contents.end() ? given->second->to_host() : memory.values_of("x");
  x.resize(width);
  return x;
}

// Random rows that satisfy something, drawn until there are enough.
template <class Wanted>
std::vector<float> draw_rows(std::uint64_t seed, std::size_t rows, std::size_t width,
                             const Wanted& wanted) {
  std::vector<float> drawn;
  for (std::uint64_t draw = 0; drawn.size() < rows * width; ++draw) {
    const auto row = forwards::make_values(seed + draw, width);
    if (wanted(row)) drawn.insert(drawn.end(), row.begin(), row.end());
  }
  return drawn;
}

class EarlyExitForward : public ModelForward {
 public:
  explicit EarlyExitForward(bool small)
      : model_({.blocks = 8, .width = small ? 64U : 1024U, .classes = 16}, 1) {
    const std::int64_t blocks = whole(model_.blocks);
    const std::int64_t width = whole(model_.width);
    const std::int64_t classes = whole(model_.classes);
    memory_.add("w", model_.w, {blocks, width, width});
    memory_.add("b", model_.b, {blocks, width});
    memory_.add("head_w", model_.head_w, {blocks, classes, width});
    memory_.add("head_b", model_.head_b, {blocks, classes});
    memory_.add("threshold", model_.threshold, {blocks});
  }

  std::string name() const override { return "early exit"; }
  ir::Program program(Layers layers) const override {
    return forwards::early_exit_program({.blocks = static_cast<int>(model_.blocks),
                                         .dense = dense_form(layers),
                                         .nested = layers != Layers::Language});
  }
  void resize(std::int64_t rows) override {
    rows_ = rows;
    memory_.add("x", forwards::make_values(9, static_cast<std::size_t>(rows) * model_.width),
                {rows, whole(model_.width)});
    memory_.add_zeros("label", ScalarType::I32, {rows});
    memory_.add_zeros("left_after", ScalarType::I32, {rows});
  }
  int blocks() const override { return static_cast<int>(model_.blocks); }
  std::vector<Contents> launches_of_blocks(int blocks) const override {
    return leaving_after({static_cast<std::size_t>(blocks)});
  }
  std::vector<Contents> launches(int taken_percent) const override {
    std::vector<std::size_t> blocks;
    for (std::size_t slot = 0; slot < 4; ++slot) {
      blocks.push_back(is_taken(slot, taken_percent) ? model_.blocks : 1);
    }
    return leaving_after(blocks);
  }
  std::vector<float> output() const override { return memory_.values_of("label"); }
  std::vector<float> plain_output(const Contents& contents) const override {
    forwards::EarlyExitModel model = model_;
    model.threshold = contents.at("threshold")->to_host();
    const auto answer =
        forwards::plain::early_exit(model, first_row(contents, memory_, model.width));
    return {static_cast<float>(answer.label)};
  }

 private:
  // A threshold that nothing reaches, or everything.
  std::vector<Contents> leaving_after(const std::vector<std::size_t>& blocks_of_launches) const {
    std::vector<Contents> launches;
    for (const std::size_t blocks : blocks_of_launches) {
      std::vector<float> threshold(model_.blocks, infinity);
      threshold[blocks - 1] = -infinity;
      launches.push_back({{"threshold", on_gpu(threshold)}});
    }
    return launches;
  }

  forwards::EarlyExitModel model_;
};

class MixtureForward : public ModelForward {
 public:
  MixtureForward(forwards::Routing routing, bool small)
      : routing_(routing),
        model_({.experts = 8, .width = small ? 32U : 512U, .hidden = small ? 64U : 1024U}, 2) {
    const std::int64_t experts = whole(model_.experts);
    const std::int64_t width = whole(model_.width);
    const std::int64_t hidden = whole(model_.hidden);
    memory_.add("gate_w", model_.gate_w, {1, experts, width});
    memory_.add("gate_b", model_.gate_b, {1, experts});
    memory_.add("up_w", model_.up_w, {experts, hidden, width});
    memory_.add("up_b", model_.up_b, {experts, hidden});
    memory_.add("down_w", model_.down_w, {experts, width, hidden});
    memory_.add("down_b", model_.down_b, {experts, width});
  }

  std::string name() const override {
    return routing_ == forwards::Routing::Switch ? "mixture by switch" : "mixture by groups";
  }
  ir::Program program(Layers layers) const override {
    const bool is_indexed = layers == Layers::Indexed;
    return forwards::mixture_program({.experts = static_cast<int>(model_.experts),
                                      .routing = is_indexed ? forwards::Routing::Indexed : routing_,
                                      .dense = dense_form(layers)});
  }
  bool has(Layers layers) const override {
    return layers != Layers::Indexed || routing_ == forwards::Routing::Grouped;
  }
  void resize(std::int64_t rows) override {
    rows_ = rows;
    const std::int64_t width = whole(model_.width);
    memory_.add_zeros("x", ScalarType::F32, {rows, width});
    memory_.add_zeros("y", ScalarType::F32, {rows, width});
    memory_.add_zeros("expert", ScalarType::I32, {rows});
  }
  std::vector<Contents> launches(int taken_percent) const override {
    std::vector<Contents> launches;
    std::size_t others = 0;
    const bool by_row = routing_ == forwards::Routing::Grouped;
    for (std::size_t launch = 0; launch < 4; ++launch) {
      std::vector<float> x;
      std::size_t expert = 0;
      for (std::size_t r = 0; r < static_cast<std::size_t>(rows_); ++r) {
        const std::size_t slot = by_row ? launch * static_cast<std::size_t>(rows_) + r : launch;
        const bool draws = by_row || r == 0;
        if (draws) expert = is_taken(slot, taken_percent) ? 1 + others++ % 7 : 0;
        const auto row =
            draw_rows(1000 * (1000 * slot + r), 1, model_.width, [&](const auto& drawn) {
              return forwards::plain::expert_of_row(model_, drawn) == expert;
            });
        x.insert(x.end(), row.begin(), row.end());
      }
      launches.push_back({{"x", on_gpu(x)}});
    }
    return launches;
  }
  std::vector<float> output() const override { return memory_.values_of("y"); }
  // Rows are drawn so that the batch's expert is that of its first row, or each has its own.
  std::vector<float> plain_output(const Contents& contents) const override {
    const auto row = first_row(contents, memory_, model_.width);
    return forwards::plain::ask_expert(model_, forwards::plain::expert_of_row(model_, row), row);
  }

 private:
  forwards::Routing routing_;
  forwards::MixtureModel model_;
};

class CascadeForward : public ModelForward {
 public:
  explicit CascadeForward(bool small)
      : model_({.depth = 4, .width = small ? 64U : 1024U, .narrow = 64, .classes = 16}, 3) {
    const std::int64_t depth = whole(model_.depth);
    const std::int64_t width = whole(model_.width);
    const std::int64_t narrow = whole(model_.narrow);
    const std::int64_t classes = whole(model_.classes);
    memory_.add("detect_w", model_.detect_w, {1, narrow, width});
    memory_.add("detect_b", model_.detect_b, {1, narrow});
    memory_.add("score_w", model_.score_w, {narrow});
    memory_.add("w", model_.w, {depth, width, width});
    memory_.add("b", model_.b, {depth, width});
    memory_.add("head_w", model_.head_w, {1, classes, width});
    memory_.add("head_b", model_.head_b, {1, classes});
    memory_.arguments().scalars["threshold"] = ir::Value(model_.threshold);
  }

  std::string name() const override { return "cascade"; }
  ir::Program program(Layers layers) const override {
    return forwards::cascade_program(
        {.depth = static_cast<int>(model_.depth), .dense = dense_form(layers)});
  }
  void resize(std::int64_t rows) override {
    rows_ = rows;
    memory_.add_zeros("x", ScalarType::F32, {rows, whole(model_.width)});
    memory_.add_zeros("fired", ScalarType::I32, {rows});
    memory_.add_zeros("label", ScalarType::I32, {rows});
  }
  // All rows of a launch fire, or none does.
  std::vector<Contents> launches(int taken_percent) const override {
    std::vector<Contents> launches;
    for (std::size_t slot = 0; slot < 4; ++slot) {
      const bool fires = is_taken(slot, taken_percent);
      const auto x = draw_rows(
          5000 * slot, static_cast<std::size_t>(rows_), model_.width, [&](const auto& row) {
            const float score = forwards::plain::detect(model_, row) - model_.threshold;
            return fires ? score > 1e-3F : score < -1e-3F;
          });
      launches.push_back({{"x", on_gpu(x)}});
    }
    return launches;
  }
  std::vector<float> output() const override { return memory_.values_of("label"); }
  std::vector<float> plain_output(const Contents& contents) const override {
    const auto row = first_row(contents, memory_, model_.width);
    return {static_cast<float>(forwards::plain::cascade(model_, row))};
  }

 private:
  forwards::CascadeModel model_;
};

}  // namespace

std::unique_ptr<ModelForward> make_early_exit(bool small) {
  return std::make_unique<EarlyExitForward>(small);
}

std::unique_ptr<ModelForward> make_mixture_by_switch(bool small) {
  return std::make_unique<MixtureForward>(forwards::Routing::Switch, small);
}

std::unique_ptr<ModelForward> make_mixture_by_groups(bool small) {
  return std::make_unique<MixtureForward>(forwards::Routing::Grouped, small);
}

std::unique_ptr<ModelForward> make_cascade(bool small) {
  return std::make_unique<CascadeForward>(small);
}

}  // namespace gyre::bench
