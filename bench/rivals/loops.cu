#include "rivals/bytecode.cuh"
#include "rivals/graph.hpp"
#include "rivals/loops.hpp"

#include <cstdint>

namespace gyre::bench::rivals {
namespace {

constexpr int threads = 256;

struct LoopState {
  std::int64_t done;
  std::int64_t trips;
  std::int64_t goes_on;
};

// Which kernel decides, and for which node.
struct Decision {
  LoopState* state;
  cudaGraphConditionalHandle handle;
  bool by_node;
};

__device__ void decide(const Decision& decision, std::int64_t done) {
  LoopState& state = *decision.state;
  state.done = done;
  state.goes_on = done < state.trips;
  if (!decision.by_node) return;
  cudaGraphSetConditional(decision.handle, static_cast<unsigned>(state.goes_on));
}

__global__ void start(Decision decision) {
  decide(decision, 0);
}

__global__ void count(Decision decision) {
  decide(decision, decision.state->done + 1);
}

__global__ void add_reversed(std::int64_t n, const float* from, float* to, Decision decision) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  if (i < n) to[i] = from[n - 1 - i] + 1;
  if (i == 0 && decision.state != nullptr) decide(decision, decision.state->done + 1);
}

// `count` by a program of bytes: the slots are the state's members.
__global__ void count_interpreted(Decision decision, const Instruction* program) {
  interpret(program, &decision.state->done);
  cudaGraphSetConditional(decision.handle, static_cast<unsigned>(decision.state->goes_on));
}

const std::vector<Instruction> counting = {
    {Code::PushSlot, 0},  {Code::PushConstant, 1}, {Code::Add, 0},
    {Code::StoreSlot, 0}, {Code::PushSlot, 0},     {Code::PushSlot, 1},
    {Code::Less, 0},      {Code::StoreSlot, 2},    {Code::End, 0}};

class LoopRival : public LoopWay {
 public:
  void prepare(const LoopShape& shape, LoopBuffers& buffers) override {
    shape_ = shape;
    buffers_ = &buffers;
    state_ = DeviceArray<LoopState>(std::vector<LoopState>{{0, shape.trips, 0}});
  }

 protected:
  void put_start(cudaGraphConditionalHandle handle = {}, bool by_node = false) const {
    start<<<1, 1, 0, stream_>>>({state_.data(), handle, by_node});
  }

  void put_trip(cudaGraphConditionalHandle handle = {}, bool by_node = false) const {
    const Decision last{state_.data(), handle, by_node};
    if (shape_.kernels == 0) count<<<1, 1, 0, stream_>>>(last);
    put_body(last);
  }

  void put_interpreted_trip(cudaGraphConditionalHandle handle,
                            const DeviceArray<Instruction>& program) const {
    put_body({});
    count_interpreted<<<1, 1, 0, stream_>>>({state_.data(), handle, true}, program.data());
    must(cudaGetLastError());
  }

  LoopState read_state() const {
    LoopState state = {};
    must(cudaMemcpyAsync(&state, state_.data(), sizeof state, cudaMemcpyDeviceToHost, stream_));
    stream_.wait();
    return state;
  }

  LoopShape shape_ = {};
  BenchStream stream_;

 private:
  // The kernels of a trip; the last one decides as `last` says.
  void put_body(const Decision& last) const {
    const auto n = static_cast<std::int64_t>(buffers_->a.size());
    const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
    for (int i = 0; i < shape_.kernels; ++i) {
      const DeviceArray<float>& from = i % 2 == 0 ? buffers_->a : buffers_->b;
      const DeviceArray<float>& to = i % 2 == 0 ? buffers_->b : buffers_->a;
      add_reversed<<<blocks, threads, 0, stream_>>>(n, from.data(), to.data(),
                                                    i + 1 == shape_.kernels ? last : Decision{});
    }
    must(cudaGetLastError());
  }

  LoopBuffers* buffers_ = nullptr;
  DeviceArray<LoopState> state_;
};

class ItemLoop : public LoopRival {
 public:
  std::string name() const override { return ".item() loop by hand"; }

  std::int64_t run() override {
    put_start();
    std::int64_t done = 0;
    for (LoopState state = read_state(); state.goes_on != 0; state = read_state()) {
      put_trip();
      ++done;
    }
    return done;
  }
};

class WhileGraphLoop : public LoopRival {
 public:
  std::string name() const override { return "WHILE graph by hand"; }

  void prepare(const LoopShape& shape, LoopBuffers& buffers) override {
    LoopRival::prepare(shape, buffers);
    graph_ = record_while_graph(
        stream_, [&](cudaGraphConditionalHandle handle) { put_start(handle, true); },
        [&](cudaGraphConditionalHandle handle) { put_trip(handle, true); });
  }

  std::int64_t run() override {
    must(cudaGraphLaunch(graph_.get(), stream_));
    return read_state().done;
  }

 private:
  GraphExec graph_;
};

class InterpretedWhileLoop : public LoopRival {
 public:
  std::string name() const override { return "WHILE graph by hand, predicate interpreted"; }

  void prepare(const LoopShape& shape, LoopBuffers& buffers) override {
    LoopRival::prepare(shape, buffers);
    program_ = DeviceArray<Instruction>(counting);
    graph_ = record_while_graph(
        stream_, [&](cudaGraphConditionalHandle handle) { put_start(handle, true); },
        [&](cudaGraphConditionalHandle handle) { put_interpreted_trip(handle, program_); });
  }

  std::int64_t run() override {
    must(cudaGraphLaunch(graph_.get(), stream_));
    return read_state().done;
  }

 private:
  DeviceArray<Instruction> program_;
  GraphExec graph_;
};

class StraightLineLoop : public LoopRival {
 public:
  std::string name() const override { return "straight-line graph"; }

  void prepare(const LoopShape& shape, LoopBuffers& buffers) override {
    LoopRival::prepare(shape, buffers);
    graph_ = record_graph(stream_, [&] {
      put_start();
      for (std::int64_t trip = 0; trip < shape.trips; ++trip) put_trip();
    });
  }

  std::int64_t run() override {
    must(cudaGraphLaunch(graph_.get(), stream_));
    stream_.wait();
    return shape_.trips;
  }

 private:
  GraphExec graph_;
};

}  // namespace

LoopWays make_loop_rivals() {
  LoopWays ways;
  ways.push_back(std::make_unique<ItemLoop>());
  ways.push_back(std::make_unique<WhileGraphLoop>());
  ways.push_back(std::make_unique<InterpretedWhileLoop>());
  ways.push_back(std::make_unique<StraightLineLoop>());
  return ways;
}

}  // namespace gyre::bench::rivals
