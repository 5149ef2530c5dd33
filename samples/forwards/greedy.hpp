/// Greedy decode: the likeliest token comes next, the least of those that are equally likely.
#pragma once

#include "decode_loop.hpp"

namespace forwards {

inline gyre::ir::Program greedy_decode(const DecoderShape& shape) {
  return decode_loop("greedy", shape, [](const Candidates& candidates) {
    return gyre::cast<std::int32_t>(argmax(candidates.program.constant(0),
                                           candidates.shape.vocabulary,
                                           [&](auto v) { return candidates.logit(v); }));
  });
}

}  // namespace forwards
