#include "rivals/forwards.hpp"

#include "rivals/forward_kernels.hpp"
#include "rivals/graph.hpp"

namespace gyre::bench::rivals {
namespace {

class ForwardRival : public ForwardWay {
 public:
  void prepare(int arms, ForwardBuffers& buffers) override {
    arms_ = arms;
    buffers_ = &buffers;
  }

 protected:
  std::int64_t count() const { return static_cast<std::int64_t>(buffers_->x.size()); }
  void put_first() const { put_double(stream_, count(), buffers_->x.data(), buffers_->h.data()); }
  void put_arm(int arm) const {
    put_add(stream_, nullptr, count(), addend_of(arm), buffers_->h.data(), buffers_->y.data());
  }
  std::int32_t read_which() const {
    std::int32_t which = 0;
    must(cudaMemcpyAsync(&which, buffers_->which.data(), sizeof which, cudaMemcpyDeviceToHost,
                         stream_));
    stream_.wait();
    return which;
  }

  int arms_ = 0;
  ForwardBuffers* buffers_ = nullptr;
  BenchStream stream_;
};

class ItemForward : public ForwardRival {
 public:
  std::string name() const override { return ".item() by hand"; }

  void run() override {
    put_first();
    const std::int32_t which = read_which();
    if (which >= 0 && which < arms_) put_arm(which);
    stream_.wait();
  }
};

class GraphPerArmForward : public ForwardRival {
 public:
  std::string name() const override { return ".item() by hand, a graph for each arm"; }

  void prepare(int arms, ForwardBuffers& buffers) override {
    ForwardRival::prepare(arms, buffers);
    first_ = record_graph(stream_, [&] { put_first(); });
    arm_graphs_.clear();
    for (int arm = 0; arm < arms; ++arm) {
      arm_graphs_.push_back(record_graph(stream_, [&] { put_arm(arm); }));
    }
  }

  void run() override {
    must(cudaGraphLaunch(first_.get(), stream_));
    const std::int32_t which = read_which();
    if (which >= 0 && which < arms_) {
      must(cudaGraphLaunch(arm_graphs_[static_cast<std::size_t>(which)].get(), stream_));
    }
    stream_.wait();
  }

 private:
  GraphExec first_;
  std::vector<GraphExec> arm_graphs_;
};

#if CUDART_VERSION >= 12080
class ConditionalForward : public ForwardRival {
 public:
  std::string name() const override { return "SWITCH graph by hand"; }

  void prepare(int arms, ForwardBuffers& buffers) override {
    ForwardRival::prepare(arms, buffers);
    graph_ = record_branch_graph(
        stream_, cudaGraphCondTypeSwitch, arms,
        [&](cudaGraphConditionalHandle handle) {
          put_double_and_choose(stream_, count(), buffers.x.data(), buffers.h.data(),
                                buffers.which.data(), arms, handle);
        },
        [&](int arm) { put_arm(arm); });
  }

  void run() override {
    must(cudaGraphLaunch(graph_.get(), stream_));
    stream_.wait();
  }

 private:
  GraphExec graph_;
};
#endif

}  // namespace

ForwardWays make_forward_rivals() {
  ForwardWays ways;
  ways.push_back(std::make_unique<ItemForward>());
  ways.push_back(std::make_unique<GraphPerArmForward>());
#if CUDART_VERSION >= 12080
  ways.push_back(std::make_unique<ConditionalForward>());
#endif
  return ways;
}

}  // namespace gyre::bench::rivals
