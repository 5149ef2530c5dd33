#include "rivals/hand_models.hpp"

#include "forwards/dense_library.hpp"
#include "rivals/graph.hpp"
#include "rivals/model_kernels.hpp"

#include <stdexcept>

namespace gyre::bench::rivals {
namespace {

constexpr std::size_t flag_count = 8;
using Flags = std::vector<std::int32_t>;

/// A model as segments of work, between which the host decides.
class Segments {
 public:
  explicit Segments(const ModelForward& model)
      : model_(model),
        memory_(model.memory()),
        workspace_(forwards::DenseLibrary::workspace_bytes),
        flags_(flag_count) {}
  virtual ~Segments() = default;

  virtual int count() const = 0;
  /// Makes what lies between layers, for the rows that the model has now.
  virtual void resize() = 0;
  virtual void put(int segment, cudaStream_t stream) = 0;
  /// What runs behind a segment, one after the other, by the flags that it left; nothing is asked
  /// where `decides` says so.
  virtual bool decides(int segment) const = 0;
  virtual std::vector<int> behind(int segment, const Flags& flags) const = 0;

  std::int32_t* flags() const { return flags_.data(); }

 protected:
  std::int64_t extent(const char* name, std::size_t dimension) const {
    return memory_.arguments().buffers.at(name).extents[dimension];
  }
  /// y = f(x Wᵀ + b) by one of the layers of w and b.
  forwards::DenseArrays layer(const char* w, const char* b, int number, const float* x, float* y,
                              bool relu) const {
    const std::int64_t outputs = extent(w, 1);
    const std::int64_t inputs = extent(w, 2);
    return {model_.rows(),
            outputs,
            inputs,
            x,
            memory_.floats(w) + number * outputs * inputs,
            memory_.floats(b) + number * outputs,
            y,
            relu};
  }
  void put_layer(cudaStream_t stream, const forwards::DenseArrays& of) {
    library_.put(stream, workspace_.data(), of);
  }
  DeviceArray<float> make_temporary(std::int64_t columns) const {
    return DeviceArray<float>(static_cast<std::size_t>(model_.rows() * columns));
  }

  const ModelForward& model_;
  const ModelMemory& memory_;

 private:
  forwards::DenseLibrary library_;
  DeviceArray<char> workspace_;
  DeviceArray<std::int32_t> flags_;
};

class EarlyExitSegments : public Segments {
 public:
  using Segments::Segments;
  int count() const override { return static_cast<int>(extent("w", 0)); }
  void resize() override {
    h_ = make_temporary(extent("w", 1));
    next_ = make_temporary(extent("w", 1));
    logits_ = make_temporary(extent("head_w", 1));
  }
  void put(int block, cudaStream_t stream) override {
    float* const to = block % 2 == 0 ? h_.data() : next_.data();
    const float* const other = block % 2 == 0 ? next_.data() : h_.data();
    const float* const from = block == 0 ? memory_.floats("x") : other;
    put_layer(stream, layer("w", "b", block, from, to, true));
    put_layer(stream, layer("head_w", "head_b", block, to, logits_.data(), false));
    put_answers(stream,
                {model_.rows(), extent("head_w", 1), logits_.data(), memory_.floats("threshold"),
                 block, block + 1 == count(), memory_.ints("label"), memory_.ints("left_after")},
                flags());
  }
  bool decides(int block) const override { return block + 1 < count(); }
  std::vector<int> behind(int block, const Flags& flags) const override {
    return flags[0] > 0 ? std::vector<int>{block + 1} : std::vector<int>{};
  }

 private:
  DeviceArray<float> h_, next_, logits_;
};

// Segment 0 is the gate, e + 1 expert e.
class MixtureSegments : public Segments {
 public:
  MixtureSegments(const ModelForward& model, bool for_batch)
      : Segments(model), for_batch_(for_batch) {}
  int count() const override { return 1 + static_cast<int>(extent("up_w", 0)); }
  void resize() override {
    scores_ = make_temporary(extent("up_w", 0));
    h_ = make_temporary(extent("up_w", 1));
    y_ = make_temporary(extent("up_w", 2));
  }
  void put(int segment, cudaStream_t stream) override {
    if (segment == 0) {
      put_layer(stream, layer("gate_w", "gate_b", 0, memory_.floats("x"), scores_.data(), false));
      put_experts(stream, for_batch_, model_.rows(), extent("up_w", 0), scores_.data(),
                  memory_.ints("expert"), flags());
      return;
    }
    const int expert = segment - 1;
    put_layer(stream, layer("up_w", "up_b", expert, memory_.floats("x"), h_.data(), true));
    auto down = layer("down_w", "down_b", expert, h_.data(), y_.data(), false);
    if (for_batch_) down.y = memory_.floats("y");
    put_layer(stream, down);
    if (for_batch_) return;
    down.y = memory_.floats("y");
    down.tag = memory_.ints("expert");
    down.wanted = expert;
    forwards::put_rows(stream, y_.data(), down);
  }
  bool decides(int segment) const override { return segment == 0; }
  std::vector<int> behind(int, const Flags& flags) const override {
    std::vector<int> experts;
    for (int e = 0; e + 1 < count(); ++e) {
      if (flags[static_cast<std::size_t>(e)] != 0) experts.push_back(e + 1);
    }
    return experts;
  }

 private:
  bool for_batch_;
  DeviceArray<float> scores_, h_, y_;
};

class CascadeSegments : public Segments {
 public:
  using Segments::Segments;
  int count() const override { return 2; }
  void resize() override {
    seen_ = make_temporary(extent("detect_w", 1));
    h_ = make_temporary(extent("w", 1));
    next_ = make_temporary(extent("w", 1));
    logits_ = make_temporary(extent("head_w", 1));
  }
  void put(int segment, cudaStream_t stream) override {
    if (segment == 0) {
      put_layer(stream, layer("detect_w", "detect_b", 0, memory_.floats("x"), seen_.data(), true));
      put_fired(stream, model_.rows(), extent("detect_w", 1), memory_.floats("score_w"),
                seen_.data(), 0, memory_.ints("fired"), memory_.ints("label"), flags());
      return;
    }
    const float* from = memory_.floats("x");
    for (int number = 0; number < static_cast<int>(extent("w", 0)); ++number) {
      float* const to = number % 2 == 0 ? h_.data() : next_.data();
      put_layer(stream, layer("w", "b", number, from, to, true));
      from = to;
    }
    put_layer(stream, layer("head_w", "head_b", 0, from, logits_.data(), false));
    put_labels(stream, model_.rows(), extent("head_w", 1), logits_.data(), memory_.ints("fired"),
               memory_.ints("label"));
  }
  bool decides(int segment) const override { return segment == 0; }
  std::vector<int> behind(int, const Flags& flags) const override {
    return flags[0] != 0 ? std::vector<int>{1} : std::vector<int>{};
  }

 private:
  DeviceArray<float> seen_, h_, next_, logits_;
};

std::unique_ptr<Segments> make_segments(const ModelForward& model) {
  const std::string name = model.name();
  if (name == "early exit") return std::make_unique<EarlyExitSegments>(model);
  if (name == "mixture by switch") return std::make_unique<MixtureSegments>(model, true);
  if (name == "mixture by groups") return std::make_unique<MixtureSegments>(model, false);
  if (name == "cascade") return std::make_unique<CascadeSegments>(model);
  throw std::logic_error("nobody has written " + name + " by hand");
}

class HandModel : public ModelWay {
 public:
  HandModel(const ModelForward& model, bool graphs)
      : segments_(make_segments(model)), has_graphs_(graphs), flags_(flag_count) {}

  std::string name() const override {
    return has_graphs_ ? ".item() by hand, a graph for each segment" : ".item() by hand";
  }
  void prepare() override {
    segments_->resize();
    graphs_.clear();
    for (int segment = 0; segment < segments_->count(); ++segment) {
      segments_->put(segment, stream_);
      stream_.wait();
      if (!has_graphs_) continue;
      graphs_.push_back(record_graph(stream_, [&] { segments_->put(segment, stream_); }));
    }
  }
  void run() override {
    std::vector<int> next = {0};
    while (!next.empty()) {
      for (const int segment : next) launch(segment);
      const int last = next.back();
      next.clear();
      if (segments_->decides(last)) next = segments_->behind(last, read_flags());
    }
    stream_.wait();
  }

 private:
  void launch(int segment) {
    if (has_graphs_) {
      must(cudaGraphLaunch(graphs_[static_cast<std::size_t>(segment)].get(), stream_));
    } else {
      segments_->put(segment, stream_);
    }
  }
  const Flags& read_flags() {
    must(cudaMemcpyAsync(flags_.data(), segments_->flags(), flag_count * sizeof(std::int32_t),
                         cudaMemcpyDeviceToHost, stream_));
    stream_.wait();
    return flags_;
  }

  std::unique_ptr<Segments> segments_;
  bool has_graphs_;
  Flags flags_;
  BenchStream stream_;
  std::vector<GraphExec> graphs_;
};

}  // namespace

ModelWays make_hand_models(const ModelForward& model) {
  ModelWays ways;
  for (const bool graphs : {false, true})
    ways.push_back(std::make_unique<HandModel>(model, graphs));
  return ways;
}

}  // namespace gyre::bench::rivals
