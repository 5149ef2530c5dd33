/// Calls of a program being built to work of the user's:
///
///     p.call("spmv", reads(row, col, val, x), writes(y), [=](CallContext& c) {
///       my_spmv(c.span(row), c.span(col), c.span(val), c.span(x), c.span(y));
///     });
#pragma once

#include "gyre/base/error.hpp"
#include "gyre/builder/place.hpp"
#include "gyre/ir/callee.hpp"

#include <functional>
#include <span>
#include <string>
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

/// A call's objects while it runs on the host.
class CallContext {
 public:
  CallContext(std::span<const ir::SymbolId> symbols, ir::HostCallContext& context)
      : symbols_(symbols), context_(context) {}

  /// The elements of a buffer, row-major; only those of written ones may be changed. UsageError
  /// where the call has not named the buffer.
  template <ElementType T>
  std::span<T> span(const Buffer<T>& buffer) const {
    const auto& bound = view(buffer.object().symbol);
    return {static_cast<T*>(bound.data), static_cast<std::size_t>(bound.element_count())};
  }
  /// A scalar's value, likewise.
  template <ValueType T>
  T& scalar(const Scalar<T>& scalar) const {
    return *static_cast<T*>(view(scalar.object().symbol).data);
  }
  /// The buffer with its extents.
  template <ElementType T>
  const ir::BufferView& view(const Buffer<T>& buffer) const {
    return view(buffer.object().symbol);
  }

 private:
  const ir::BufferView& view(ir::SymbolId symbol) const;

  std::span<const ir::SymbolId> symbols_;
  ir::HostCallContext& context_;
};

/// The work of a call on the host.
using HostWork = std::function<void(CallContext&)>;

namespace detail {

/// Records a call of work given in place; without `host` the cpu executor refuses it by name.
void call(Recorder& recorder, std::string name, const std::vector<CallArguments>& arguments,
          HostWork host, const SourceLoc& loc);
/// Records a call of `callee`, whose accesses name the arguments in this order.
void call(Recorder& recorder, std::shared_ptr<const ir::Callee> callee,
          const std::vector<Object>& arguments, const SourceLoc& loc);

}  // namespace detail

}  // namespace gyre::builder
