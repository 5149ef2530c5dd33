/// Top-k decode: the next token is drawn among the k likeliest, each as likely as softmax of its
/// logit over a temperature says.
///
/// What a member draws depends on its seed and the position alone: neither on the batch nor on
/// where one launch ends and the next begins.
#pragma once

#include "decode_loop.hpp"

#include <algorithm>
#include <limits>

namespace forwards {

/// What decode_loop is given for it: `seed` and `temperature` are declared once its loop is.
class TopKChoice {
 public:
  explicit TopKChoice(int k) : k_(k) {}

  gyre::Value<std::int32_t> operator()(const Candidates& of) const;

 private:
  int k_;
};

inline gyre::ir::Program top_k_decode(const DecoderShape& shape, int k,
                                      const ProductForm& product = {}) {
  return decode_loop("top_k", shape, TopKChoice(std::min(k, shape.vocabulary)), product);
}

/// All threads of the member's block hold the same; they share the folds.
inline gyre::Value<std::int32_t> TopKChoice::operator()(const Candidates& of) const {
  gyre::Program& p = of.program;
  const auto declare = [&](auto declaration) { return p.ahead(declaration); };
  /// [members] The temperature, at 0 of which the likeliest token comes, and what the draws depend
  /// on.
  const auto temperature = declare([&] { return p.in<float>("temperature", {of.members}); });
  const auto seed = declare([&] { return p.in<std::int64_t>("seed", {of.members}); });
  /// [members, k] The likeliest tokens, and what they weigh.
  const auto token = declare([&] { return p.temp<std::int32_t>("likely", {of.members, k_}); });
  const auto weight = declare([&] { return p.temp<float>("weight", {of.members, k_}); });

  // One fold for each: the likeliest of those that stand behind the last one, by logit and then by
  // number.
  auto last = p.var<float>("last");
  auto last_token = p.var<std::int32_t>("last_token");
  auto greatest = p.var<float>("greatest");
  auto total = p.var<float>("total");
  p.for_(p.constant(0), k_, [&](auto i) {
    const auto is_left = [&](auto v) {
      return i == 0 || of.logit(v) < last || (of.logit(v) == last && v > last_token);
    };
    const auto lowest = gyre::constant<float>(-std::numeric_limits<float>::infinity());
    last_token = gyre::cast<std::int32_t>(argmax(p.constant(0), of.shape.vocabulary, [&](auto v) {
      return select(is_left(v), of.logit(v), lowest);
    }));
    last = of.logit(last_token);
    p.if_(i == 0, [&] { greatest = last; });
    auto of_this = p.let("of_this", exp((last - greatest) / temperature[of.m]));
    token(of.m, i) = last_token;
    weight(of.m, i) = of_this;
    total += of_this;
  });
  // The first of them by which the weights so far have passed the draw.
  auto drawn = p.var<std::int32_t>("drawn");
  auto sum_so_far = p.var<float>("sum_so_far");
  auto point = p.let("point", uniform_f32(seed[of.m], of.position, 0) * total);
  p.for_(p.constant(0), k_, [&](auto i) {
    drawn = token(of.m, i);
    sum_so_far += weight(of.m, i);
    p.if_(temperature[of.m] <= 0 || sum_so_far > point, [&] { p.break_(); });
  });
  return drawn;
}

}  // namespace forwards
