/// Calls of a program being built to work of the user's:
///
///     p.call("spmv", reads(row, col, val, x), writes(y),
///            [=](CallContext& c) { spmv<<<grid, block, 0, c.stream()>>>(c.ptr(row), …); },
///            [=](HostCallContext& c) { my_spmv(c.span(row), …); });
///
/// Work that takes a CallContext runs on a GPU, work that takes a HostCallContext on the host; a
/// call may have either or both. Where it has to run and lacks the form for it, it is refused by
/// name.
#pragma once

#include "gyre/builder/call_context.hpp"
#include "gyre/builder/recorder.hpp"
#include "gyre/ir/callee.hpp"

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gyre::builder {

/// Objects that a call gets, and what it does with them.
struct CallArguments {
  ir::Access access = ir::Access::Read;
  std::vector<detail::Object> objects;
};

/// What a call only reads.
template <class... Objects>
CallArguments reads(const Objects&... objects) {
  return {ir::Access::Read, {objects.object()...}};
}
/// What a call writes in full, and does not read.
template <class... Objects>
CallArguments writes(const Objects&... objects) {
  return {ir::Access::Write, {objects.object()...}};
}
/// What a call reads and writes.
template <class... Objects>
CallArguments updates(const Objects&... objects) {
  return {ir::Access::ReadWrite, {objects.object()...}};
}

/// The work of a call on a GPU: anything that a stream can record.
using DeviceWork = std::function<void(CallContext&)>;
/// The work of a call on the host.
using HostWork = std::function<void(HostCallContext&)>;

/// A call's name, and the line of C++ that makes the call.
struct CallName {
  template <std::convertible_to<std::string> Text>
  CallName(Text&& text, const CallSite& at = CallSite::current())
      : name(std::forward<Text>(text)), site(at) {}

  std::string name;
  CallSite site;
};

/// What a call is made of.
struct CallParts {
  void add(const CallArguments& group) { arguments.push_back(group); }
  void add(DeviceWork work);
  void add(HostWork work);

  std::vector<CallArguments> arguments = {};
  DeviceWork device = {};
  HostWork host = {};
};

/// Objects, or work in one of its forms.
template <class Part>
concept CallPart = requires(CallParts& parts, const Part& part) {
  parts.add(part);
};

/// Follows a `call` and says more of it.
class CallChain {
 public:
  CallChain(std::shared_ptr<Recorder> recorder, Recorder::Anchor anchor,
            std::shared_ptr<ir::Callee> callee)
      : recorder_(std::move(recorder)), anchor_(anchor), callee_(std::move(callee)) {}

  /// Promises that the work does nothing while `*c.guard()` is 0: the call may then run where its
  /// result is not wanted, and costs no branch of the graph.
  CallChain& guarded();
  /// Lets the host make the call, also where a GPU runs the program: the graph ends before it and a
  /// new one begins behind it. The device form is not recorded then, and may do what it likes;
  /// without one the host form runs, on copies of its objects.
  CallChain& on_host();

 private:
  std::shared_ptr<Recorder> recorder_;
  Recorder::Anchor anchor_;
  std::shared_ptr<ir::Callee> callee_;
};

namespace detail {

/// Records a call of work given in place.
CallChain call(const std::shared_ptr<Recorder>& recorder, const CallName& name, CallParts parts);
/// Records a call of `callee`, whose accesses name the arguments in this order.
void call(Recorder& recorder, std::shared_ptr<const ir::Callee> callee,
          const std::vector<Object>& arguments, const SourceLoc& loc);

}  // namespace detail

}  // namespace gyre::builder
