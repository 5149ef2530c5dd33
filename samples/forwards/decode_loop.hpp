/// The loop that decodes: one launch makes a trip for each token, until every member of the batch
/// has ended.
///
/// A trip takes the last token of each member through the decoder and puts the next one behind it.
/// Where the prompt has that token it is the prompt's: members whose prompts differ in length share
/// the trips. One that has ended takes part in nothing.
#pragma once

#include "sequences.hpp"

namespace forwards {

/// The candidates for the next token of member `m`: within a foreach of members, a block for each.
struct Candidates {
  gyre::Program& program;
  const DecoderShape& shape;
  /// [members, places, vocabulary]
  gyre::Buffer<float> logits;
  gyre::Value<std::int64_t> m;
  /// Where the next token will stand.
  gyre::Value<std::int32_t> position;
  gyre::Value<std::int64_t> place;

  template <class V>
  auto logit(const V& v) const {
    return logits(m, place, v);
  }
};

/// A program `name` whose next token is what `choose` makes of Candidates: a Value<std::int32_t>.
///
/// The host may look while it runs: the logits of what is put at a position stand in `logits` as
/// its token does in `emitted`.
template <class Choose>
gyre::ir::Program decode_loop(const char* name, const DecoderShape& shape, Choose choose) {
  gyre::Program p(name);
  const Sequences batch(p, shape);
  auto pages = p.size("pages");
  auto logits = p.out<float>("logits", {batch.members, batch.places, shape.vocabulary});
  auto steps = p.out<std::int64_t>("steps");
  auto position = p.temp<std::int32_t>("row_position", {1, batch.members});
  Decoder decoder(p, shape, {batch.members, 1, position, batch.table}, pages);
  const auto members = gyre::range("m", 0, batch.members);
  const auto place_behind = [&](auto m) { return (position(0, m) + 1) % batch.places; };
  const auto any_is_left = [&] {
    return any(0, batch.members, [&](auto m) { return position(0, m) >= 0; });
  };

  batch.read_prompts();
  p.foreach(members, [&](auto m) {
    auto why = batch.begin(m);
    position(0, m) = select(why == running, batch.cached[m], gyre::constant<std::int32_t>(-1));
  });
  p.foreach(members * gyre::range("k", p.constant(0), shape.width), [&](auto m, auto k) {
    p.if_(position(0, m) >= 0, [&] {
      decoder.x()(0, m, k) = decoder.embedded(batch.tokens(m, position(0, m)), position(0, m), k);
    });
  });
  auto left = p.var<bool>("left");
  left = any_is_left();
  p.while_(left, [&] {
    decoder.forward();
    p.foreach(gyre::range("v", p.constant(0), shape.vocabulary) * members, gyre::Team::Warp,
              [&](auto v, auto m) {
                p.if_(position(0, m) >= 0,
                      [&] { logits(m, place_behind(m), v) = decoder.logit(p.constant(0), m, v); });
              });
    p.foreach(members, gyre::Team::Block, [&](auto m) {
      auto next = p.var<std::int32_t>("next");
      auto behind = p.let("behind", position(0, m) + 1);
      auto at = p.var<std::int32_t>("at", -1);
      p.if_(behind > 0, [&] {
        p.if_(batch.is_prompt(m, behind), [&] { next = batch.prompt(m, behind); }).else_([&] {
          next = choose(Candidates{p, shape, logits, m, behind, place_behind(m)});
        });
        auto why = batch.put(m, behind, next);
        p.if_(why == running, [&] {
          at = behind;
          p.foreach(p.constant(0), shape.width,
                    [&](auto k) { decoder.x()(0, m, k) = decoder.embedded(next, behind, k); });
        });
      });
      position(0, m) = at;
    });
    steps += 1;
    left = any_is_left();
  });
  return p.finish();
}

}  // namespace forwards
