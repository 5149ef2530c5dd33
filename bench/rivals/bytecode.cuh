/// Scalar work as a program of bytes that a kernel interprets: what a runtime does that compiles
/// nothing.
#pragma once

#include <cstdint>

namespace gyre::bench::rivals {

/// A machine with a stack, over slots of 64-bit integers.
enum class Code : std::uint8_t { PushSlot, PushConstant, Add, Less, StoreSlot, End };

struct Instruction {
  Code code;
  std::int32_t operand;
};

__device__ inline void interpret(const Instruction* program, std::int64_t* slots) {
  std::int64_t stack[8];
  int top = 0;
  for (const Instruction* at = program;; ++at) {
    switch (at->code) {
      case Code::PushSlot: stack[top++] = slots[at->operand]; break;
      case Code::PushConstant: stack[top++] = at->operand; break;
      case Code::Add:
        --top;
        stack[top - 1] += stack[top];
        break;
      case Code::Less:
        --top;
        stack[top - 1] = stack[top - 1] < stack[top] ? 1 : 0;
        break;
      case Code::StoreSlot: slots[at->operand] = stack[--top]; break;
      case Code::End: return;
    }
  }
}

}  // namespace gyre::bench::rivals
