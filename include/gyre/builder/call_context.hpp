/// A call's objects, found by the handles of the program that makes the call: on a GPU's stream,
/// and on the host.
///
/// Asking for an object that the call's reads, writes and updates do not name is a UsageError.
#pragma once

#include "gyre/builder/place.hpp"
#include "gyre/ir/call_context.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gyre::builder {
namespace detail {

/// The view of `symbol` among `views`, which stand in the order of `symbols`.
const ir::BufferView& view_of(ir::SymbolId symbol, const std::vector<ir::SymbolId>& symbols,
                              const std::vector<ir::BufferView>& views);

}  // namespace detail

/// What the device form of a call works with. Addresses are those of the GPU, and good for as long
/// as the recorded work may run.
class CallContext {
 public:
  CallContext(const std::vector<ir::SymbolId>& symbols, const ir::DeviceCallContext& context)
      : symbols_(symbols), context_(context) {}

  /// Where the work goes: `kernel<<<grid, block, 0, c.stream()>>>`, `cublasSetStream(handle,
  /// c.stream())`. It may be recording: nothing may wait for it.
  ir::StreamHandle stream() const { return context_.stream; }

  /// A buffer's elements, row-major. Only those of written ones may be changed.
  template <ElementType T>
  T* ptr(const Buffer<T>& buffer) const {
    return static_cast<T*>(view(buffer).data);
  }
  /// The cell of a scalar, likewise.
  template <ValueType T>
  T* ptr(const Scalar<T>& scalar) const {
    return static_cast<T*>(find(scalar.object().symbol).data);
  }
  /// A buffer with its extents.
  template <ElementType T>
  const ir::BufferView& view(const Buffer<T>& buffer) const {
    return find(buffer.object().symbol);
  }
  /// How many elements a buffer has.
  template <ElementType T>
  std::int64_t count(const Buffer<T>& buffer) const {
    return view(buffer).element_count();
  }

  /// Device memory for `count` elements, aligned to 256 bytes: this call's until its work has
  /// ended, of every later call's after that.
  template <class T>
  T* temporary(std::size_t count) const {
    return context_.temporary<T>(count);
  }
  /// On the device: while it is 0, the work of a call that is `guarded()` does nothing.
  const unsigned* guard() const { return context_.guard; }

 private:
  const ir::BufferView& find(ir::SymbolId symbol) const {
    return detail::view_of(symbol, symbols_, context_.arguments);
  }

  const std::vector<ir::SymbolId>& symbols_;
  const ir::DeviceCallContext& context_;
};

/// What the host form of a call works with.
class HostCallContext {
 public:
  HostCallContext(const std::vector<ir::SymbolId>& symbols, ir::HostCallContext& context)
      : symbols_(symbols), context_(context) {}

  /// The elements of a buffer, row-major; only those of written ones may be changed.
  template <ElementType T>
  std::span<T> span(const Buffer<T>& buffer) const {
    const auto& bound = view(buffer);
    return {static_cast<T*>(bound.data), static_cast<std::size_t>(bound.element_count())};
  }
  /// A scalar's value, likewise.
  template <ValueType T>
  T& scalar(const Scalar<T>& scalar) const {
    return *static_cast<T*>(find(scalar.object().symbol).data);
  }
  /// A buffer with its extents.
  template <ElementType T>
  const ir::BufferView& view(const Buffer<T>& buffer) const {
    return find(buffer.object().symbol);
  }

  /// Room for `count` elements, aligned to 256 bytes, until the call returns.
  template <class T>
  std::span<T> temporary(std::size_t count) {
    return {context_.temporary<T>(count), count};
  }

 private:
  const ir::BufferView& find(ir::SymbolId symbol) const {
    return detail::view_of(symbol, symbols_, context_.arguments);
  }

  const std::vector<ir::SymbolId>& symbols_;
  ir::HostCallContext& context_;
};

}  // namespace gyre::builder
