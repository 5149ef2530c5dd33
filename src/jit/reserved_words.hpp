/// Words that a symbol's name must not take in an emitted kernel.
#pragma once

#include <string>

namespace gyre::jit {

/// A word of C++, of CUDA, or of the emitter.
bool is_reserved(const std::string& name);

/// A word and a number, as emitted variables are named: range0, trips12.
bool looks_emitted(const std::string& name);

}  // namespace gyre::jit
