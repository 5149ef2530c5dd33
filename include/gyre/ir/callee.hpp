/// Work of the user's that a program calls by name.
#pragma once

#include "gyre/ir/arguments.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gyre::ir {

/// What a call does with one of its arguments.
enum class Access { Read, Write, ReadWrite };

/// What the host form of a call gets: its arguments in the order of the declaration. Views of
/// written buffers are writable; scalars arrive and leave as views of one element.
struct HostCallContext {
  std::vector<BufferView> arguments;
};

/// What the device form of a call gets: a stream to put its work on, and its arguments as views of
/// device memory, in the order of the declaration.
struct DeviceCallContext {
  /// A `cudaStream_t`. It may be recording: put work on it, do not wait for it.
  void* stream = nullptr;
  std::vector<BufferView> arguments;

  template <class T>
  T* pointer(std::size_t argument) const {
    return static_cast<T*>(arguments.at(argument).data);
  }
};

/// A name, what it does with each argument, and the work itself.
struct Callee {
  std::string name;
  std::vector<Access> accesses;
  /// The work on the cpu executor and in `interpret`; where it is empty, running there is an error
  /// that names the call.
  std::function<void(HostCallContext&)> host;
  /// The work on a GPU: anything that a stream can record. Where it is empty, running there is an
  /// error that names the call.
  std::function<void(const DeviceCallContext&)> device = {};
};

}  // namespace gyre::ir
