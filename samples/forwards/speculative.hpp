/// Speculative decode: a small decoder proposes tokens, a large one looks at all of them in one
/// forward and keeps those that it would have chosen itself (Leviathan et al. 2023, "Fast inference
/// from transformers via speculative decoding", for greedy decode).
///
/// How many are kept is computed on the device, for each member apart, and rounds follow each other
/// there until all members have ended. The tokens are those of greedy_decode with the target alone,
/// bit for bit: what a row of a forward computes does not depend on the rows beside it.
#pragma once

#include "sequences.hpp"

namespace forwards {

struct SpeculativeShape {
  /// Of one vocabulary, and with the same positions and pages.
  DecoderShape target, draft;
  /// How many tokens are proposed in a round.
  int proposals = 4;
};

/// The statements of a round. Slot s of the target's forward holds the token at `cached + s`; the
/// draft's slot 0 goes from `cached` on, and its slot 1 catches up on the position in front of
/// that, which a round whose proposals were all kept has skipped.
class SpeculativeRound {
 public:
  SpeculativeRound(gyre::Program& program, const SpeculativeShape& shape);

  const Sequences& batch() const { return batch_; }
  /// Makes `proposals` forwards of the draft and one of the target, and puts what is kept.
  void record();

 private:
  void begin_draft();
  void propose(int number);
  void begin_target();
  void keep();

  DecoderRows rows(const char* x, const DecoderShape& shape,
                   const gyre::Buffer<std::int32_t>& position, int slots) {
    return {batch_.members, slots, position,
            p_.temp<float>(x, {slots, batch_.members, shape.width}), batch_.table};
  }
  auto members() const { return gyre::range("m", 0, batch_.members); }
  auto slots(int count) const { return gyre::range("slot", p_.constant(0), count) * members(); }
  auto tokens() const { return gyre::range("v", p_.constant(0), shape_.target.vocabulary); }
  auto likeliest(const gyre::Buffer<float>& logits, const auto& slot, const auto& m) const {
    return gyre::cast<std::int32_t>(argmax(tokens(), [&](auto v) { return logits(slot, m, v); }));
  }
  // A row's token at `position`, or no row where it may not pass.
  void fill(const Decoder& decoder, const gyre::Buffer<std::int32_t>& row, const auto& slot,
            const auto& m, const auto& position, const auto& token,
            const gyre::Value<bool>& passes) const {
    auto at = p_.let("at", select(passes, position, gyre::constant<std::int32_t>(-1)));
    row(slot, m) = at;
    p_.if_(at >= 0, [&] {
      auto of = p_.let("of", token);
      p_.foreach(p_.constant(0), decoder.shape().width,
                 [&](auto k) { decoder.x()(slot, m, k) = decoder.embedded(of, at, k); });
    });
  }

  gyre::Program& p_;
  SpeculativeShape shape_;
  Sequences batch_;
  gyre::Size pages_;
  /// [draft slots, members] and [target slots, members]: the positions of rows.
  gyre::Buffer<std::int32_t> draft_row_, target_row_;
  Decoder draft_, target_;
  gyre::Buffer<float> draft_logits_, target_logits_;
  /// [proposals, members] What the draft thinks follows `cached`.
  gyre::Buffer<std::int32_t> proposed_;
  /// [target slots, members] What the target says follows each of its rows.
  gyre::Buffer<std::int32_t> chosen_;
  /// [proposals + 1] Of how many rounds of a member behind its prompt so many proposals were kept.
  gyre::Buffer<std::int64_t> kept_;
};

inline gyre::ir::Program speculative_decode(const SpeculativeShape& shape) {
  gyre::Program p("speculative");
  SpeculativeRound round(p, shape);
  const Sequences& batch = round.batch();
  auto rounds = p.out<std::int64_t>("rounds");
  const auto any_is_left = [&] {
    return any(0, batch.members, [&](auto m) { return batch.ended[m] == running; });
  };

  batch.read_prompts();
  p.foreach(0, batch.members, [&](auto m) { batch.begin(m); });
  auto left = p.var<bool>("left");
  left = any_is_left();
  p.while_(left, [&] {
    round.record();
    rounds += 1;
    left = any_is_left();
  });
  return p.finish();
}

inline SpeculativeRound::SpeculativeRound(gyre::Program& program, const SpeculativeShape& shape)
    : p_(program),
      shape_(shape),
      batch_(p_, shape.target),
      pages_(p_.size("pages")),
      draft_row_(p_.temp<std::int32_t>("draft_row", {2, batch_.members})),
      target_row_(p_.temp<std::int32_t>("target_row", {shape.proposals + 1, batch_.members})),
      draft_(p_, shape.draft, rows("draft_x", shape.draft, draft_row_, 2), pages_, "draft_"),
      target_(p_, shape.target, rows("target_x", shape.target, target_row_, shape.proposals + 1),
              pages_),
      draft_logits_(p_.temp<float>("draft_logits", {1, batch_.members, shape.draft.vocabulary})),
      target_logits_(p_.temp<float>(
          "target_logits", {shape.proposals + 1, batch_.members, shape.target.vocabulary})),
      proposed_(p_.temp<std::int32_t>("proposed", {shape.proposals, batch_.members})),
      chosen_(p_.temp<std::int32_t>("chosen", {shape.proposals + 1, batch_.members})),
      kept_(p_.out<std::int64_t>("kept", {shape.proposals + 1})) {}

}  // namespace forwards

#include "speculative_steps.hpp"
