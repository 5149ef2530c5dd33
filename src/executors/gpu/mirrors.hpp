/// Memory of the device for the buffers of a run that lie on the host.
#pragma once

#include "gyre/cuda/memory.hpp"
#include "gyre/cuda/stream.hpp"
#include "gyre/ir/arguments.hpp"
#include "gyre/ir/program.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gyre::executors {

class Mirrors {
 public:
  bool empty() const { return mirrors_.empty(); }
  /// The first buffer that has one.
  ir::SymbolId first() const { return mirrors_.front().buffer; }

  /// Takes the buffers of another run: each is added between these two. A mirror of the right size
  /// is kept from run to run, so that addresses stay.
  void begin_bind() { before_ = std::exchange(mirrors_, {}); }
  cuda::DeviceView add(ir::SymbolId buffer, ir::Intent intent, const ir::BufferView& view,
                       std::size_t bytes);
  void end_bind() { before_.clear(); }

  /// Copies host buffers to their mirrors, but for what is there already, and back; whether there
  /// was something to copy.
  bool copy_in(cuda::StreamView stream) const;
  void copy_out(cuda::StreamView stream) const;
  /// Whether a launch takes copies of what may have changed, or that it has changed.
  bool copies_each_time() const;

  /// Copies what a buffer that is never copied to the host holds now, from byte `offset` on;
  /// whether there is such memory.
  bool peek(ir::SymbolId buffer, std::size_t offset, std::span<std::byte> to) const;

  std::size_t bytes() const;

 private:
  struct Mirror {
    ir::SymbolId buffer;
    void* host;
    cuda::DeviceMemory device;
    bool read;
    bool written;
    /// Of the view, where its elements stay as they are; and of what was copied last.
    std::uint64_t edition = 0;
    mutable std::uint64_t copied_edition = 0;

    bool is_up_to_date() const { return edition != 0 && edition == copied_edition; }
    bool is_steady() const { return edition != 0 && !written; }
    bool stays() const { return edition != 0 && !read && !written; }
  };

  std::vector<Mirror> mirrors_;
  /// Of the run before, while another one is bound.
  std::vector<Mirror> before_;
  /// Where buffers that stay on the device are peeked at.
  cuda::PinnedMemory peek_window_;
};

}  // namespace gyre::executors
