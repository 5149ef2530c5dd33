/// Recording work of somebody else's into a graph of its own, whatever that work does.
///
/// Leaves out what was recorded and may still not stand in a body (body_audit.hpp).
#pragma once

#include "gyre/cuda/graph.hpp"

#include <exception>
#include <functional>
#include <string>

namespace gyre::cuda {

struct Recording {
  Graph graph;
  /// Why there is no such graph, as the end of a sentence that starts with whose work it is; empty
  /// where it was recorded.
  std::string failure;
  /// What the work threw.
  std::exception_ptr thrown;
};

/// Runs `work`, which puts something on `stream`, and makes a graph of it named `name`. `stream` is
/// one that is ordered with the legacy default stream, so that what is put there by mistake is
/// noticed; it is usable afterwards. A capture that somebody else's thread may have broken is begun
/// again, so that `work` may run more than once. Throws EnvironmentError only for failures that the
/// recording has no part in.
Recording record_work(const std::string& name, StreamView stream,
                      const std::function<void()>& work);

}  // namespace gyre::cuda
