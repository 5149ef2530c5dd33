/// What the work of a call is handed while it runs, on the host or on a GPU.
///
/// Arguments come by position here; builder/call.hpp finds them by their handles. No CUDA header is
/// included: a stream is a pointer that becomes whatever stream type it is handed to.
#pragma once

#include "gyre/ir/arguments.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace gyre::ir {

/// A stream of the GPU: `kernel<<<grid, block, 0, stream>>>` and `cublasSetStream(handle, stream)`
/// take it as it is.
class StreamHandle {
 public:
  StreamHandle() = default;
  StreamHandle(void* stream) : stream_(stream) {}  // NOLINT: it stands for the pointer

  void* get() const { return stream_; }
  /// `T` is what `cudaStream_t` points to.
  template <class T>
  operator T*() const {  // NOLINT: likewise
    return static_cast<T*>(stream_);
  }

 private:
  void* stream_ = nullptr;
};

/// Where the temporaries of calls come from. What it gives is aligned to 256 bytes and holds
/// anything at first.
class CallMemory {
 public:
  virtual ~CallMemory() = default;
  /// `bytes` of 0 gives null.
  virtual void* take(std::size_t bytes) = 0;
};

/// Memory of the host that lives as long as this object.
class HostCallMemory final : public CallMemory {
 public:
  void* take(std::size_t bytes) override;

 private:
  struct Free {
    void operator()(void* memory) const;
  };
  std::vector<std::unique_ptr<void, Free>> blocks_;
};

/// What the host form of a call gets: its arguments in the order of the declaration. Views of
/// written buffers are writable; scalars arrive and leave as views of one element.
struct HostCallContext {
  std::vector<BufferView> arguments = {};
  HostCallMemory memory = {};

  template <class T>
  T* pointer(std::size_t argument) const {
    return static_cast<T*>(arguments.at(argument).data);
  }
  /// Room for `count` elements until the call returns.
  template <class T>
  T* temporary(std::size_t count) {
    return static_cast<T*>(memory.take(count * sizeof(T)));
  }
};

/// What the device form of a call gets: a stream to put its work on, and its arguments as views of
/// device memory, in the order of the declaration. Scalars are the cells they live in.
struct DeviceCallContext {
  /// It may be recording: put work on it, do not wait for it.
  StreamHandle stream = {};
  std::vector<BufferView> arguments = {};
  /// Device memory. A guarded callee's work does nothing while it is 0.
  const unsigned* guard = nullptr;
  CallMemory* memory = nullptr;

  template <class T>
  T* pointer(std::size_t argument) const {
    return static_cast<T*>(arguments.at(argument).data);
  }
  /// Device memory for `count` elements: this call's until its work has ended, of every later
  /// call's after that. The address stays good as long as the recorded work may run.
  template <class T>
  T* temporary(std::size_t count) const {
    return static_cast<T*>(take(count * sizeof(T)));
  }

 private:
  void* take(std::size_t bytes) const;
};

}  // namespace gyre::ir
