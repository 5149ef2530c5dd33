/// Work of the user's that a program calls by name.
#pragma once

#include "gyre/ir/call_context.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gyre::ir {

/// What a call does with one of its arguments.
enum class Access { Read, Write, ReadWrite };

/// Who makes a call when a GPU runs the program. `Stream`: the GPU, which finds what the device
/// form has put on a stream while it was recorded. `Host`: the host, each time, while nothing runs
/// on the GPU; graphs end before the call and begin anew behind it, and the host decides every loop
/// and branch around it. A device form then may do what cannot be recorded: allocate, wait, take
/// part in a collective. Without one the host form runs, on copies of its arguments.
enum class Placement { Stream, Host };

/// A name, what it does with each argument, and the work itself.
struct Callee {
  std::string name;
  std::vector<Access> accesses;
  /// The work on the cpu executor and in `interpret`, and on a GPU by `Placement::Host` where there
  /// is no device form. Where it is empty, running there is an error that names the call.
  std::function<void(HostCallContext&)> host;
  /// The work on a GPU: anything that a stream can record. Where it is empty, running there is an
  /// error that names the call.
  std::function<void(const DeviceCallContext&)> device = {};
  Placement placement = Placement::Stream;
  /// A promise: what `device` puts on the stream does nothing while `*DeviceCallContext::guard` is
  /// 0. Such a call may run where its result is not wanted.
  bool guarded = false;
};

}  // namespace gyre::ir
