/// From the text of kernels to a binary of one architecture.
///
/// Arithmetic is compiled as the language means it: no contraction, no flush to zero, IEEE division
/// and root. Leaves out where the text comes from (emit_kernel.hpp) and keeping results
/// (cache.hpp).
#pragma once

#include <string>
#include <vector>

namespace gyre::jit {

/// Kernels to compile.
struct CompileRequest {
  /// CUDA C++; may include the embedded headers, and no file. Functions without an execution space
  /// are device functions.
  std::string source;
  /// What errors and profilers call it.
  std::string name;
  /// `sm_90`.
  std::string architecture;
  /// Profilers and compute-sanitizer show lines of `source`.
  bool line_info = false;
  /// The log says of each kernel how many registers it uses and how many bytes it spills.
  bool resource_report = false;
};

/// A compiled module.
struct Cubin {
  std::vector<char> bytes;
  /// The compiler's warnings and what it was asked to report; empty as a rule.
  std::string log;
};

/// Throws EnvironmentError where there is no NVRTC or it cannot serve the architecture, and
/// InternalError, with the lines at fault, where the source is wrong: gyre itself wrote it.
Cubin compile_cubin(const CompileRequest& request);

/// The flags that `request` is compiled with, in order.
std::vector<std::string> compile_flags(const CompileRequest& request);

/// The lines of `source` that the compiler's `log` complains of, with their numbers and neighbours.
std::string source_excerpt(const std::string& source, const std::string& log);

}  // namespace gyre::jit
