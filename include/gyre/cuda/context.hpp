/// The context that gyre works in: a device's primary one, which cudart uses too, so that a user's
/// streams, pointers and libraries are the same ones here.
#pragma once

#include "gyre/cuda/driver.hpp"

namespace gyre::cuda {

/// Keeps the primary context of a device alive. Memory, streams and modules made in it must not
/// outlive the last owner of it in the process.
class Context {
 public:
  /// Creates the context or joins the one that is there.
  explicit Context(int ordinal = 0);
  ~Context();
  Context(Context&& other) noexcept;
  Context& operator=(Context&& other) noexcept;

  CUcontext get() const { return context_; }
  int ordinal() const { return ordinal_; }

 private:
  void release() noexcept;

  CUcontext context_ = nullptr;
  CUdevice device_ = 0;
  int ordinal_ = 0;
};

/// Makes a context this thread's current one while the object lives, and then the former one again.
class CurrentContext {
 public:
  explicit CurrentContext(CUcontext context);
  explicit CurrentContext(const Context& context) : CurrentContext(context.get()) {}
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
};

/// This thread's current context; null where there is none.
CUcontext current_context();

}  // namespace gyre::cuda
