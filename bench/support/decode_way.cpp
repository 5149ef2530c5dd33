#include "support/decode_way.hpp"

#include "forwards/greedy.hpp"
#include "gyre/executors/gpu.hpp"
#include "rivals/graph.hpp"

#include <optional>
#include <utility>

namespace gyre::bench {
namespace {

class OneLaunch : public DecodeWay {
 public:
  OneLaunch(std::string name, const ir::Program& program)
      : name_(std::move(name)), loop_(compile(program, {.executor = "device_graph"})) {}

  std::string name() const override { return name_; }
  void prepare(const DeviceMemory& memory) override {
    memory.bind(loop_);
    loop_.prepare();
  }
  std::int64_t run() override { return static_cast<std::int64_t>(loop_.run().host_syncs()); }

 private:
  std::string name_;
  Executable loop_;
};

class Asking : public DecodeWay {
 public:
  Asking(std::string name, std::shared_ptr<const plan::Plan> plan,
         const executors::HostBranchOptions& options)
      : name_(std::move(name)),
        plan_(std::move(plan)),
        executor_(executors::make_host_branch_executor(plan_, options)) {}

  std::string name() const override { return name_; }
  void prepare(const DeviceMemory& memory) override {
    bound_ = ir::resolve(plan_->symbols, memory.arguments(plan_->symbols));
    executor_->prepare(bound_, {});
  }
  std::int64_t run() override {
    return static_cast<std::int64_t>(executor_->run(bound_, {}).host_syncs);
  }

 private:
  std::string name_;
  std::shared_ptr<const plan::Plan> plan_;
  std::unique_ptr<executors::Executor> executor_;
  ir::Bound bound_;
};

class GraphPerToken : public DecodeWay {
 public:
  explicit GraphPerToken(const forwards::DecoderShape& shape)
      : begin_(compile(forwards::greedy_begin(shape), {.executor = "device_graph"})),
        trip_(compile(forwards::greedy_trip(shape), {.executor = "device_graph"})) {
    must(cudaMallocHost(reinterpret_cast<void**>(&left_), sizeof *left_));
  }
  ~GraphPerToken() override { cudaFreeHost(left_); }

  std::string name() const override { return "graph a token, host check by hand"; }
  bool is_gyre() const override { return false; }

  void prepare(const DeviceMemory& memory) override {
    memory.bind(begin_);
    memory.bind(trip_);
    begin_.prepare();
    trip_.prepare();
    graph_ = rivals::record_graph(stream_, [&] {
      recorded_.emplace(trip_.launch(stream_.get()));
      must(cudaMemcpyAsync(left_, memory.at("left"), sizeof *left_, cudaMemcpyDeviceToHost,
                           stream_));
    });
  }
  std::int64_t run() override {
    auto begun = begin_.launch(stream_.get());
    std::int64_t waits = 0;
    do {
      must(cudaGraphLaunch(graph_.get(), stream_));
      stream_.wait();
      ++waits;
    } while (*left_ != 0);
    return waits;
  }

 private:
  BenchStream stream_;
  Executable begin_, trip_;
  std::optional<Launch> recorded_;
  rivals::GraphExec graph_;
  std::int32_t* left_ = nullptr;
};

}  // namespace

std::unique_ptr<DecodeWay> make_one_launch(std::string name, const ir::Program& program) {
  return std::make_unique<OneLaunch>(std::move(name), program);
}

DecodeWays make_asking_ways(const ir::Program& program) {
  using Flag = executors::HostBranchOptions::Flag;
  const auto compiled = std::make_shared<Executable>(compile(program, {.executor = "host_branch"}));
  const std::shared_ptr<const plan::Plan> plan(compiled, &compiled->plan());
  DecodeWays ways;
  const auto add = [&](const char* name, Flag flag, bool graphs) {
    ways.push_back(std::make_unique<Asking>(
        name, plan, executors::HostBranchOptions{.flag = flag, .segment_graphs = graphs}));
  };
  add("host_branch, graph a token, polled flag", Flag::Polled, true);
  add("host_branch, graph a token, pinned copy", Flag::Pinned, true);
  add("host_branch, kernel by kernel, pageable copy", Flag::Pageable, false);
  return ways;
}

std::unique_ptr<DecodeWay> make_graph_per_token(const forwards::DecoderShape& shape) {
  return std::make_unique<GraphPerToken>(shape);
}

}  // namespace gyre::bench
