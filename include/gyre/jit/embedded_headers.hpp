/// The headers that generated kernels include, as texts inside the library: a program that uses
/// gyre needs none of gyre's files while it runs.
#pragma once

#include <span>

namespace gyre::jit {

/// A header under the name by which kernels include it: "gyre/ir/scalar_ops.hpp",
/// "kernels/….cuh".
struct EmbeddedHeader {
  const char* name;
  const char* text;
};

std::span<const EmbeddedHeader> embedded_headers();

}  // namespace gyre::jit
