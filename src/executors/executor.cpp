#include "gyre/executors/executor.hpp"

#include "gyre/base/error.hpp"

#include <string>

namespace gyre::executors {

std::shared_ptr<Flight> Executor::join(const ir::Bound&, const ir::RunOptions&) {
  throw UsageError("the " + std::string(name()) +
                   " executor needs the host and cannot be part of a captured stream; compile with "
                   "device_graph");
}

}  // namespace gyre::executors
