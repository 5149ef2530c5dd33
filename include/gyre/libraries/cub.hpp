/// CUB's device-wide primitives, as what `compile` may call for sorts and scans:
///
///     auto executable = gyre::compile(program, {.executor = "device_graph",
///                                               .library = gyre::libraries::cub()});
///
/// In the target gyre::cub, which nvcc compiles and which brings the CUDA runtime. Leaves out which
/// statements become calls (passes/call_library.hpp).
#pragma once

#include "gyre/ir/primitive_library.hpp"

#include <memory>

namespace gyre::libraries {

/// Orders by DeviceRadixSort and sums integers by DeviceScan, with the bits of gyre's own loops.
std::shared_ptr<const ir::PrimitiveLibrary> cub(const ir::LibraryLimits& limits = {});

}  // namespace gyre::libraries
