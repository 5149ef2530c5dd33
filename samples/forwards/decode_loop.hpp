/// The loop that decodes: one launch makes a trip for each token, until every member of the batch
/// has ended.
///
/// A trip takes the last token of each member through the decoder and puts the next one behind it.
/// Where the prompt has that token it is the prompt's: members whose prompts differ in length share
/// the trips. One that has ended takes part in nothing.
#pragma once

#include "sequences.hpp"

#include <utility>

namespace forwards {

/// The candidates for the next token of member `m`: within a foreach of members, a block for each.
struct Candidates {
  gyre::Program& program;
  const DecoderShape& shape;
  gyre::Size members;
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

/// The statements of a loop over a batch: what stands before it, and a trip.
class DecodeLoop {
 public:
  /// Layers make their products in the language, or in the form that is given.
  DecodeLoop(gyre::Program& program, const DecoderShape& shape, ProductForm product = {},
             Trips trips = Trips::OfOneLaunch)
      : p_(program),
        trips_(trips),
        product_(std::move(product)),
        batch_(p_, shape, trips),
        logits_(
            output<float>(p_, trips, "logits", {batch_.members, batch_.places, shape.vocabulary})),
        position_(row_buffer<std::int32_t>("row_position", {1, batch_.members})),
        decoder_(p_, shape,
                 {batch_.members, 1, position_,
                  row_buffer<float>("row", {1, batch_.members, shape.width}), batch_.table},
                 p_.size("pages")) {}

  /// Fills the rows of the first trip.
  void begin() {
    batch_.read_prompts();
    p_.foreach(0, batch_.members, [&](auto m) {
      auto why = batch_.begin(m);
      position_(0, m) = select(why == running, batch_.cached[m], gyre::constant<std::int32_t>(-1));
    });
    const auto x = gyre::range("k", p_.constant(0), decoder_.shape().width);
    p_.foreach(gyre::range("m", 0, batch_.members) * x, [&](auto m, auto k) {
      auto at = p_.let("at", position_(0, m));
      p_.if_(at >= 0,
             [&] { decoder_.x()(0, m, k) = decoder_.embedded(batch_.tokens(m, at), at, k); });
    });
  }

  auto any_is_left() const {
    return any(0, batch_.members, [&](auto m) { return position_(0, m) >= 0; });
  }

  /// Takes each row through the decoder, puts the token that is behind it, and makes that the next
  /// row.
  template <class Choose>
  void trip(const Choose& choose) {
    if (product_) {
      decoder_.forward_by(product_);
    } else {
      decoder_.forward();
    }
    const auto slot = p_.constant(0);
    const auto members = gyre::range("m", 0, batch_.members);
    const auto tokens = gyre::range("v", p_.constant(0), decoder_.shape().vocabulary);
    const auto place_behind = [&](auto m) { return (position_(0, m) + 1) % batch_.places; };
    p_.foreach(tokens * members, gyre::Team::Warp, [&](auto v, auto m) {
      p_.if_(position_(0, m) >= 0,
             [&] { logits_(m, place_behind(m), v) = decoder_.logit(slot, m, v); });
    });
    p_.foreach(members, gyre::Team::Block, [&](auto m) {
      auto next = p_.var<std::int32_t>("next");
      auto behind = p_.let("behind", position_(0, m) + 1);
      auto at = p_.var<std::int32_t>("at", -1);
      p_.if_(behind > 0, [&] {
        p_.if_(batch_.is_prompt(m, behind), [&] { next = batch_.prompt(m, behind); }).else_([&] {
          next = choose(Candidates{p_, decoder_.shape(), batch_.members, logits_, m, behind,
                                   place_behind(m)});
        });
        auto why = batch_.put(m, behind, next);
        p_.if_(why == running, [&] {
          at = behind;
          p_.foreach(p_.constant(0), decoder_.shape().width,
                     [&](auto k) { decoder_.x()(0, m, k) = decoder_.embedded(next, behind, k); });
        });
      });
      position_(0, m) = at;
    });
  }

 private:
  template <class T>
  gyre::Buffer<T> row_buffer(const char* name, gyre::builder::Extents extents) {
    return trips_ == Trips::OfOneLaunch ? p_.temp<T>(name, extents) : p_.inout<T>(name, extents);
  }

  gyre::Program& p_;
  Trips trips_;
  ProductForm product_;
  Sequences batch_;
  gyre::Buffer<float> logits_;
  gyre::Buffer<std::int32_t> position_;
  Decoder decoder_;
};

/// A program `name` whose next token is what `choose` makes of Candidates: a Value<std::int32_t>.
///
/// The host may look while it runs: the logits of what is put at a position stand in `logits` as
/// its token does in `emitted`.
template <class Choose>
gyre::ir::Program decode_loop(const char* name, const DecoderShape& shape, const Choose& choose,
                              const ProductForm& product = {}) {
  gyre::Program p(name);
  DecodeLoop loop(p, shape, product);
  auto steps = p.out<std::int64_t>("steps");
  auto left = p.var<bool>("left");
  loop.begin();
  left = loop.any_is_left();
  p.while_(left, {.expect = shape.positions}, [&] {
    loop.trip(choose);
    steps += 1;
    left = loop.any_is_left();
  });
  return p.finish();
}

}  // namespace forwards
