/// Memory for the temporaries of several executables that never run at once: as much as the largest
/// of them needs, instead of as much as all need together.
///
///     const auto arena = std::make_shared<gyre::SharedArena>();
///     auto small = gyre::compile(program, {.arena = arena});
///     auto large = gyre::compile(program, {.arena = arena});
#pragma once

#include "gyre/executors/arena_memory.hpp"

#include <cstddef>
#include <memory>

namespace gyre {

/// Launches of the executables that were compiled with one are those of one executable: each is
/// refused, or waits for its turn, while any other runs (CompileOptions::overlap). Launches that
/// became part of a captured stream have memory of their own.
///
/// Nothing that an executable has been launched with ever moves. Where one needs more than there is
/// a larger piece is made; the others come to it when they are bound anew, and what nobody is in
/// any more is given back.
class SharedArena {
 public:
  SharedArena();
  ~SharedArena();
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  /// What it holds for all of its executables together, temporaries of their calls included.
  std::size_t held_bytes() const { return memory_->held_bytes(); }

 private:
  friend class Executable;
  struct Turns;

  std::shared_ptr<executors::ArenaMemory> memory_;
  std::unique_ptr<Turns> turns_;
};

}  // namespace gyre
