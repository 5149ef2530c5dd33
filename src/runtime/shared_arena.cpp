#include "gyre/runtime/shared_arena.hpp"

#include "turns.hpp"

namespace gyre {

SharedArena::SharedArena()
    : memory_(std::make_shared<executors::ArenaMemory>()), turns_(std::make_unique<Turns>()) {}

SharedArena::~SharedArena() = default;

}  // namespace gyre
