/// The temporaries of programs that run on the host.
#pragma once

#include "gyre/base/host_memory.hpp"
#include "gyre/executors/arena_memory.hpp"
#include "gyre/plan/arena.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace gyre::executors {

/// Memory of the host, aligned as arenas are; contents undefined at first.
class HostPiece {
 public:
  explicit HostPiece(std::size_t bytes)
      : bytes_(bytes), memory_(take_host_memory(bytes, "temporaries", [&] {
          return std::make_unique_for_overwrite<std::byte[]>(bytes + plan::arena_alignment);
        })) {}

  std::byte* data() const {
    const auto start = reinterpret_cast<std::uintptr_t>(memory_.get());
    return memory_.get() +
           (plan::arena_alignment - start % plan::arena_alignment) % plan::arena_alignment;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_;
  std::unique_ptr<std::byte[]> memory_;
};

struct HostArena final : ArenaPart {
  std::size_t held_bytes() const override { return pieces.held_bytes(); }

  ArenaPieces<HostPiece> pieces;
};

}  // namespace gyre::executors
