/// How a launch ended, from the words that its last kernel wrote.
#pragma once

#include "device_module.hpp"
#include "gyre/ir/outcome.hpp"

#include <cstdint>
#include <vector>

namespace gyre::executors {

/// `result` are the words of a head (jit::Control), the counts, and the cells of `outputs`. `views`
/// tell the extents of buffers, by SymbolId.
ir::Outcome read_outcome(const DeviceModule& module, const std::vector<std::uint64_t>& result,
                         const std::vector<ir::SymbolId>& outputs,
                         const std::vector<ir::BufferView>& views);

}  // namespace gyre::executors
