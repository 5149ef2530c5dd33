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

/// A name, what it does with each argument, and the work itself.
struct Callee {
  std::string name;
  std::vector<Access> accesses;
  /// The work on the cpu executor and in `interpret`; where it is empty, running there is an error
  /// that names the call.
  std::function<void(HostCallContext&)> host;
};

}  // namespace gyre::ir
