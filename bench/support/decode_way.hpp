/// What the bench of decode loops compares: one way to run a program, or what replaces it, on
/// memory that lies on the GPU.
#pragma once

#include "forwards/decoder.hpp"
#include "support/device_memory.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gyre::bench {

class DecodeWay {
 public:
  virtual ~DecodeWay() = default;

  virtual std::string name() const = 0;
  virtual bool is_gyre() const { return true; }

  /// Makes ready on this memory, which outlives the runs.
  virtual void prepare(const DeviceMemory& memory) = 0;
  /// From launch to result; how often the host waited for the GPU on the way.
  virtual std::int64_t run() = 0;
};

using DecodeWays = std::vector<std::unique_ptr<DecodeWay>>;

/// One launch on `device_graph`, in which the host has no part.
std::unique_ptr<DecodeWay> make_one_launch(std::string name, const ir::Program& program);
/// The same program where the host asks after each trip whether there is another: each trip one
/// graph, or kernel after kernel. By a flag that it polls, or by a copy that it waits for.
DecodeWays make_asking_ways(const ir::Program& program);
/// A graph of one trip, captured from a stream, that the host launches until a flag says that all
/// have ended: gyre's kernels, a loop by hand.
std::unique_ptr<DecodeWay> make_graph_per_token(const forwards::DecoderShape& shape);

}  // namespace gyre::bench
