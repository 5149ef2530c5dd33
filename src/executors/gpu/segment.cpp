#include "segment.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"

#include <utility>

namespace gyre::executors {
namespace {

bool same(const cuda::DeviceView& a, const cuda::DeviceView& b) {
  return a.address == b.address && a.bytes == b.bytes;
}

template <class Node>
void keep_nodes(const std::vector<Node>& kept, std::vector<Node>& fresh) {
  GYRE_CHECK(kept.size() == fresh.size(), "a graph took over one with other nodes");
  for (std::size_t i = 0; i < kept.size(); ++i) fresh[i].node = kept[i].node;
}

}  // namespace

Segment::Segment(const DeviceProgram& program, std::span<const jit::Step> steps,
                 cuda::StreamView recording, const std::vector<std::uint64_t>& host_words)
    : program_(program),
      steps_(steps),
      recording_(recording),
      host_words_(host_words),
      built_(build()),
      exec_(built_.graph) {}

Segment::Built Segment::build() const {
  cuda::Graph graph(program_.plan().name);
  GraphBuilder builder(program_, recording_, host_words_);
  builder.add(graph.view(), steps_, {});
  return {std::move(graph), builder.finish()};
}

void Segment::rebind() {
  bool done = false;
  if (!built_.nodes.has_calls) {
    try {
      done = set_nodes();
    } catch (const EnvironmentError& error) {
      // Some node is set and some is not: the whole graph is made anew.
      log::warn("rebinding " + program_.plan().name + " builds its graph again: " + error.what());
    }
  }
  if (!done) build_again();
}

// False where a node comes or goes, which nothing but building again can do.
bool Segment::set_nodes() {
  return set_memory() && set_kernels();
}

bool Segment::set_memory() {
  if (built_.nodes.has_gaps) return false;
  for (BuiltNodes::Clear& clear : built_.nodes.clears) {
    const auto memory = program_.memory_of(clear.buffer);
    if (memory.bytes == 0) return false;
    if (same(memory, clear.memory)) continue;
    exec_.set_clear(clear.node, memory);
    clear.memory = memory;
  }
  for (BuiltNodes::Copy& copy : built_.nodes.copies) {
    const auto to = program_.memory_of(copy.to);
    const auto from = program_.memory_of(copy.from);
    if (to.bytes == 0) return false;
    if (same(to, copy.to_memory) && same(from, copy.from_memory)) continue;
    exec_.set_copy(copy.node, to.address, from.address, to.bytes);
    copy.to_memory = to;
    copy.from_memory = from;
  }
  return true;
}

bool Segment::set_kernels() {
  for (BuiltNodes::Kernel& kernel : built_.nodes.kernels) {
    if (!program_.has_moved(*kernel.step)) continue;
    auto prepared = program_.prepare(*kernel.step, built_.nodes.decisions);
    if (prepared.words == kernel.prepared.words && prepared.shape == kernel.prepared.shape) {
      continue;
    }
    exec_.set_kernel(kernel.node, {prepared.function, prepared.shape, prepared.arguments});
    kernel.prepared = std::move(prepared);
  }
  return true;
}

void Segment::build_again() {
  Built fresh = build();
  const cuda::GraphUpdate update = exec_.update(fresh.graph);
  if (!update.done) {
    log::info("the graph of " + program_.plan().name + " is instantiated again: " + update.reason);
    exec_ = cuda::GraphExec(fresh.graph);
    built_ = std::move(fresh);
    return;
  }
  // The executable's nodes go by those of its first graph, and hold what the fresh ones hold.
  keep_nodes(built_.nodes.kernels, fresh.nodes.kernels);
  keep_nodes(built_.nodes.clears, fresh.nodes.clears);
  keep_nodes(built_.nodes.copies, fresh.nodes.copies);
  built_.nodes = std::move(fresh.nodes);
  updated_from_.emplace(std::move(fresh.graph));
}

}  // namespace gyre::executors
