/// What the steps of a SpeculativeRound do (speculative.hpp).
#pragma once

#include "speculative.hpp"

namespace forwards {

inline void SpeculativeRound::record() {
  begin_draft();
  for (int number = 0; number < shape_.proposals; ++number) propose(number);
  begin_target();
  target_.forward();
  p_.foreach(tokens() * slots(shape_.proposals + 1), gyre::Team::Warp,
             [&](auto v, auto slot, auto m) {
               p_.if_(target_row_(slot, m) >= 0,
                      [&] { target_logits_(slot, m, v) = target_.logit(slot, m, v); });
             });
  p_.foreach(slots(shape_.proposals + 1), gyre::Team::Block, [&](auto slot, auto m) {
    p_.if_(target_row_(slot, m) >= 0,
           [&] { chosen_(slot, m) = likeliest(target_logits_, slot, m); });
  });
  keep();
}

inline void SpeculativeRound::begin_draft() {
  p_.foreach(slots(2), gyre::Team::Warp, [&](auto slot, auto m) {
    auto position = p_.let("position", batch_.cached[m] - slot);
    fill(draft_, draft_row_, slot, m, position, batch_.tokens(m, position),
         position >= 0 && batch_.may_pass(m, batch_.cached[m]));
  });
}

// The draft's next token, which goes into its next forward if there is one.
inline void SpeculativeRound::propose(int number) {
  const auto row = p_.constant(0);
  draft_.forward();
  p_.foreach(tokens() * members(), gyre::Team::Warp, [&](auto v, auto m) {
    p_.if_(draft_row_(row, m) >= 0, [&] { draft_logits_(row, m, v) = draft_.logit(row, m, v); });
  });
  p_.foreach(members(), gyre::Team::Block, [&](auto m) {
    auto behind = p_.let("behind", batch_.cached[m] + (number + 1));
    auto next = p_.var<std::int32_t>("next");
    p_.if_(batch_.is_prompt(m, behind), [&] {
        next = batch_.prompt(m, behind);
      }).else_if(draft_row_(row, m) >= 0, [&] { next = likeliest(draft_logits_, row, m); });
    proposed_(number, m) = next;
    if (number + 1 == shape_.proposals) return;
    draft_row_(1, m) = -1;
    fill(draft_, draft_row_, row, m, behind, next, batch_.may_pass(m, behind));
  });
}

inline void SpeculativeRound::begin_target() {
  p_.foreach(slots(shape_.proposals + 1), gyre::Team::Warp, [&](auto slot, auto m) {
    auto position = p_.let("position", batch_.cached[m] + slot);
    fill(target_, target_row_, slot, m, position,
         select(slot == 0, batch_.tokens(m, position), proposed_(max(slot - 1, 0), m)),
         batch_.may_pass(m, position));
  });
}

// Row by row as greedy decode would, as long as the next row holds the token that was just put.
inline void SpeculativeRound::keep() {
  p_.foreach(members(), [&](auto m) {
    p_.if_(batch_.ended[m] == running, [&] {
      auto is_decoding = p_.let("is_decoding", !batch_.is_prompt(m, batch_.cached[m] + 1));
      auto agreed = p_.var<std::int32_t>("agreed");
      p_.for_(p_.constant(0), shape_.proposals + 1, [&](auto slot) {
        p_.if_(target_row_(slot, m) < 0, [&] { p_.break_(); });
        auto behind = p_.let("behind", target_row_(slot, m) + 1);
        auto next = p_.var<std::int32_t>("next");
        p_.if_(batch_.is_prompt(m, behind), [&] { next = batch_.prompt(m, behind); }).else_([&] {
          next = chosen_(slot, m);
        });
        auto why = batch_.put(m, behind, next);
        auto holds =
            slot < shape_.proposals && proposed_(min(slot, shape_.proposals - 1), m) == next;
        p_.if_(!holds, [&] { p_.break_(); });
        agreed += 1;
        p_.if_(why != running, [&] { p_.break_(); });
      });
      p_.if_(is_decoding, [&] { scatter(kept_[agreed]) += 1; });
    });
  });
}

}  // namespace forwards
