#include "rivals/fused_cg.cuh"
#include "rivals/fused_cg.hpp"
#include "rivals/graph.hpp"

namespace gyre::bench::rivals {
namespace {

__global__ void begin(CgMemory m) {
  take_turn();
  begin_block(m, static_cast<int>(blockIdx.x));
}

// Where a WHILE node asks, its handle is set to whether there is a trip.
struct Asked {
  cudaGraphConditionalHandle handle;
  bool by_node;
};

__device__ void decide(CgState& state, Asked asked) {
  state.goes_on = state.next > state.stop2 && state.trips < state.max_trips ? 1 : 0;
  if (asked.by_node) cudaGraphSetConditional(asked.handle, static_cast<unsigned>(state.goes_on));
}

__global__ void decide_first(CgMemory m, Asked asked) {
  take_turn();
  const double rr = sum_of_partials(m.rr_parts, m.blocks);
  const double bb = sum_of_partials(m.bb_parts, m.blocks);
  if (threadIdx.x != 0) return;
  m.state->next = rr;
  m.state->stop2 = m.rtol * m.rtol * bb;
  m.state->trips = 0;
  decide(*m.state, asked);
}

__global__ void multiply(CgMemory m) {
  take_turn();
  if (blockIdx.x == 0 && threadIdx.x == 0) m.state->rr = m.state->next;
  multiply_block(m, static_cast<int>(blockIdx.x));
}

// alpha = rr / p.q
__global__ void step(CgMemory m) {
  take_turn();
  const double alpha = m.state->rr / sum_of_partials(m.pq_parts, m.blocks);
  step_block(m, static_cast<int>(blockIdx.x), alpha);
}

// beta = next / rr
__global__ void turn(CgMemory m, Asked asked) {
  take_turn();
  const double next = sum_of_partials(m.rr_parts, m.blocks);
  turn_block(m, static_cast<int>(blockIdx.x), next / m.state->rr);
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  m.state->next = next;
  m.state->trips += 1;
  decide(*m.state, asked);
}

// With `programmatic` the kernel may start before the one in front of it has ended.
template <class... Parameters, class... Arguments>
void launch(cudaStream_t stream, bool programmatic, int blocks, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(block_size);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = programmatic ? 1 : 0;
  must(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
}

// The kernels on a stream: what each way puts into a graph or launches one by one.
class FusedCg : public SolveWay {
 public:
  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    workspace_.prepare(system, limits);
  }

 protected:
  void put_start(Asked asked = {}, bool programmatic = false) const {
    const CgMemory& memory = workspace_.memory();
    launch(stream_, programmatic, memory.blocks, begin, memory);
    launch(stream_, programmatic, 1, decide_first, memory, asked);
  }
  void put_trip(Asked asked = {}, bool programmatic = false) const {
    const CgMemory& memory = workspace_.memory();
    launch(stream_, programmatic, memory.blocks, multiply, memory);
    launch(stream_, programmatic, memory.blocks, step, memory);
    launch(stream_, programmatic, memory.blocks, turn, memory, asked);
  }

  CgState read_state() const { return workspace_.read_state(stream_); }

  BenchStream stream_;

 private:
  CgWorkspace workspace_;
};

class StraightLineCg : public FusedCg {
 public:
  explicit StraightLineCg(bool programmatic) : programmatic_(programmatic) {}

  std::string name() const override {
    return programmatic_ ? "straight-line graph, PDL" : "straight-line graph";
  }
  bool knows_trips() const override { return true; }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    FusedCg::prepare(system, limits);
    trips_ = limits.max_trips;
    graph_ = record_graph(stream_, [&] {
      put_start({}, programmatic_);
      for (int trip = 0; trip < trips_; ++trip) put_trip({}, programmatic_);
    });
  }

  SolveOutcome solve() override {
    must(cudaGraphLaunch(graph_.get(), stream_));
    stream_.wait();
    return {trips_, 0};
  }

 private:
  bool programmatic_;
  int trips_ = 0;
  GraphExec graph_;
};

class WhileGraphCg : public FusedCg {
 public:
  std::string name() const override { return "WHILE graph by hand"; }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    FusedCg::prepare(system, limits);
    graph_ = record_while_graph(
        stream_,
        [&](cudaGraphConditionalHandle handle) {
          put_start({handle, true});
        },
        [&](cudaGraphConditionalHandle handle) {
          put_trip({handle, true});
        });
  }

  SolveOutcome solve() override {
    must(cudaGraphLaunch(graph_.get(), stream_));
    return {read_state().trips, 0};
  }

 private:
  GraphExec graph_;
};

class ItemLoopCg : public FusedCg {
 public:
  std::string name() const override { return ".item() loop by hand"; }

  SolveOutcome solve() override {
    SolveOutcome outcome{0, 1};
    put_start();
    for (; read_state().goes_on != 0; ++outcome.trips, ++outcome.host_syncs) put_trip();
    return outcome;
  }
};

}  // namespace

std::unique_ptr<SolveWay> make_straight_line_cg(bool programmatic) {
  return std::make_unique<StraightLineCg>(programmatic);
}

std::unique_ptr<SolveWay> make_while_graph_cg() {
  return std::make_unique<WhileGraphCg>();
}

std::unique_ptr<SolveWay> make_item_loop_cg() {
  return std::make_unique<ItemLoopCg>();
}

}  // namespace gyre::bench::rivals
