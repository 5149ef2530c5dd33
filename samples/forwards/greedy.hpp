/// Greedy decode: the likeliest token comes next, the least of those that are equally likely.
#pragma once

#include "decode_loop.hpp"

namespace forwards {

/// What decode_loop is given for it.
inline gyre::Value<std::int32_t> likeliest(const Candidates& candidates) {
  return gyre::cast<std::int32_t>(argmax(candidates.program.constant(0),
                                         candidates.shape.vocabulary,
                                         [&](auto v) { return candidates.logit(v); }));
}

inline gyre::ir::Program greedy_decode(const DecoderShape& shape, const ProductForm& product = {}) {
  return decode_loop("greedy", shape, likeliest, product);
}

/// The same a launch at a time, for a host that wants to look at each token: what `begin` fills,
/// and a trip, which leaves in `left[0]` whether any member goes on. Both are given the same
/// memory.
inline gyre::ir::Program greedy_begin(const DecoderShape& shape) {
  gyre::Program p("greedy_begin");
  DecodeLoop(p, shape, {}, Trips::OfTheCaller).begin();
  return p.finish();
}
inline gyre::ir::Program greedy_trip(const DecoderShape& shape) {
  gyre::Program p("greedy_trip");
  DecodeLoop loop(p, shape, {}, Trips::OfTheCaller);
  auto left = p.inout<std::int32_t>("left", {1});
  auto any_left = p.var<bool>("any_left");
  loop.trip(likeliest);
  any_left = loop.any_is_left();
  left[0] = cast<std::int32_t>(any_left);
  return p.finish();
}

}  // namespace forwards
