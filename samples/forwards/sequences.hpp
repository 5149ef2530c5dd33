/// What a decode loop knows of each member of its batch. All of it is the caller's memory: a launch
/// goes on where the one before it ended.
#pragma once

#include "decoder.hpp"

namespace forwards {

/// Why a member stopped: what `ended` holds.
inline constexpr std::int32_t running = 0;
/// Its last token is its end-of-sequence token.
inline constexpr std::int32_t end_of_sequence = 1;
/// It has as many tokens as `most_tokens` allows.
inline constexpr std::int32_t at_most_tokens = 2;
/// The position that comes next has no page: a launch with more of them goes on.
inline constexpr std::int32_t out_of_pages = 3;

/// Who makes the trips: one launch all of them, or the caller a launch for each. What lies between
/// two trips is the caller's then, zero at first.
enum class Trips { OfOneLaunch, OfTheCaller };

/// The buffers of a batch, and the steps that every loop over it takes. Steps stand within a
/// foreach over members.
class Sequences {
 public:
  Sequences(gyre::Program& program, const DecoderShape& shape, Trips trips = Trips::OfOneLaunch);

  /// Before the loop, and not within a foreach: the prompts of new members become their first
  /// tokens.
  void read_prompts() const {
    const auto each =
        gyre::range("m", 0, members) * gyre::range("i", p_.constant(0), tokens_of_a_member_);
    p_.foreach(each, [&](auto m, auto i) {
      p_.if_(cached[m] == 0 && i < prompt_length[m], [&] { tokens(m, i) = prompt(m, i); });
    });
  }

  /// Before the loop: gives why `m` takes no part in it, `running` if it does.
  template <class Member>
  gyre::Scalar<std::int32_t> begin(const Member& m) const {
    auto has = p_.let("has", max(prompt_length[m], cached[m] + 1));
    length[m] = has;
    auto why = p_.var("why", running);
    p_.if_(ended[m] == end_of_sequence, [&] { why = end_of_sequence; })
        .else_if(has >= most_tokens[m], [&] { why = at_most_tokens; })
        .else_if(has_no_page(m, cached[m]), [&] { why = out_of_pages; });
    ended[m] = why;
    return why;
  }

  /// Whether what stands at `position` is the prompt's.
  template <class Member, class Position>
  auto is_prompt(const Member& m, const Position& position) const {
    return position < prompt_length[m];
  }

  /// Whether the token at `position` may go through a decoder: its member goes on, the position has
  /// a page, and one may stand behind it.
  template <class Member, class Position>
  auto may_pass(const Member& m, const Position& position) const {
    return ended[m] == running && position + 1 < most_tokens[m] && !has_no_page(m, position);
  }

  /// Puts `token` at `position`, the first that the cache does not hold; gives why it is the
  /// member's last, `running` if it is not.
  template <class Member, class Position, class Token>
  gyre::Scalar<std::int32_t> put(const Member& m, const Position& position,
                                 const Token& token) const {
    scatter(tokens(m, position)) = token;
    cached[m] = position;
    auto why = p_.var("why", running);
    p_.if_(has_no_page(m, position), [&] { why = out_of_pages; });
    p_.if_(!is_prompt(m, position), [&] {
      length[m] = position + 1;
      scatter(emitted(m, position % places)) =
          (gyre::cast<std::int64_t>(position) + 1) << 32 | gyre::cast<std::int64_t>(token);
      p_.if_(token == stop_token[m], [&] {
          why = end_of_sequence;
        }).else_if(position + 1 >= most_tokens[m], [&] { why = at_most_tokens; });
    });
    ended[m] = why;
    return why;
  }

  gyre::Size members;
  /// [members, member_pages] Which page of the cache holds a member's positions; -1 where none does
  /// yet.
  gyre::Buffer<std::int32_t> table;
  /// [members] The token that ends a member, and how many tokens it may have, prompt included: at
  /// most `positions`.
  gyre::Buffer<std::int32_t> stop_token, most_tokens;
  /// [members, positions] What a member begins with, `prompt_length` tokens; at least one.
  gyre::Buffer<std::int32_t> prompt, prompt_length;
  /// [members, positions] The prompt and what was decoded behind it: `length` tokens.
  gyre::Buffer<std::int32_t> tokens, length;
  /// [members] How many of them the cache holds; 0 at first.
  gyre::Buffer<std::int32_t> cached;
  /// [members] Why a member stopped. One at its end of sequence stays there, others go on if they
  /// can.
  gyre::Buffer<std::int32_t> ended;
  /// [members, places] For the host to read while the loop runs (token_ring.hpp): what was decoded
  /// last. The token of a position stands at that position modulo `places`, below the position plus
  /// one.
  gyre::Size places;
  gyre::Buffer<std::int64_t> emitted;

 private:
  template <class Member, class Position>
  auto has_no_page(const Member& m, const Position& position) const {
    return table(m, position / page_) < 0;
  }

  gyre::Program& p_;
  int tokens_of_a_member_, page_;
};

/// An output of a loop, which a single trip updates.
template <gyre::builder::ElementType T>
gyre::Buffer<T> output(gyre::Program& p, Trips trips, const char* name,
                       gyre::builder::Extents extents) {
  return trips == Trips::OfOneLaunch ? p.out<T>(name, extents) : p.inout<T>(name, extents);
}

inline Sequences::Sequences(gyre::Program& program, const DecoderShape& shape, Trips trips)
    : members(program.size("members")),
      table(program.in<std::int32_t>("table", {members, shape.member_pages()})),
      stop_token(program.in<std::int32_t>("stop_token", {members})),
      most_tokens(program.in<std::int32_t>("most_tokens", {members})),
      prompt(program.in<std::int32_t>("prompt", {members, shape.positions})),
      prompt_length(program.in<std::int32_t>("prompt_length", {members})),
      tokens(program.inout<std::int32_t>("tokens", {members, shape.positions})),
      length(output<std::int32_t>(program, trips, "length", {members})),
      cached(program.inout<std::int32_t>("cached", {members})),
      ended(program.inout<std::int32_t>("ended", {members})),
      places(program.size("places")),
      emitted(output<std::int64_t>(program, trips, "emitted", {members, places})),
      p_(program),
      tokens_of_a_member_(shape.positions),
      page_(shape.page) {}

}  // namespace forwards
