/// What a decode loop emits, read by the host while it runs: nothing waits for the host, and what
/// it reads too late is gone from here (the sequences have it in the end).
#pragma once

#include <gyre/gyre.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace forwards {

/// `emitted` of a decode loop, and `logits` where it has them, kept where the loop runs.
///
/// A token and the position that it belongs to are one word of 64 bits, so that none is read half
/// written.
class TokenRing {
 public:
  /// Before a launch. `begin` holds the position of each member's first token to come.
  TokenRing(gyre::Executable& executable, std::vector<std::int32_t> begin, std::int64_t places)
      : executable_(executable),
        next_(std::move(begin)),
        places_(places),
        words_(next_.size() * static_cast<std::size_t>(places)) {
    executable_.keep("emitted", {static_cast<std::int64_t>(next_.size()), places_});
  }
  /// The logits of `vocabulary` tokens are kept too.
  void keep_logits(std::int64_t vocabulary) {
    vocabulary_ = vocabulary;
    executable_.keep("logits", {static_cast<std::int64_t>(next_.size()), places_, vocabulary});
  }

  struct Token {
    std::size_t member;
    std::int32_t position, token;
  };
  /// Tokens that have come since the last time, those of a member in their order. If more than
  /// `places` of a member have, the oldest are missing.
  std::vector<Token> news() {
    executable_.peek("emitted", 0, words_);
    std::vector<Token> tokens;
    for (std::size_t m = 0; m < next_.size(); ++m) {
      skip_overwritten(m);
      for (; position_in(m, next_[m]) == next_[m]; ++next_[m]) {
        tokens.push_back({m, next_[m], static_cast<std::int32_t>(word(m, next_[m]))});
      }
    }
    return tokens;
  }

  /// The logits by which the token at `position` was chosen, if they are there and stay while they
  /// are read.
  std::optional<std::vector<float>> logits(std::size_t member, std::int32_t position) {
    const std::int64_t place = position % places_;
    const auto row = static_cast<std::int64_t>(member) * places_ + place;
    std::vector<float> values(static_cast<std::size_t>(vocabulary_));
    executable_.peek("logits", row * vocabulary_, values);
    executable_.peek("emitted", 0, words_);
    // Those of the position that comes here next may be under way once the one before it has its
    // token.
    const auto last = static_cast<std::int32_t>(position + places_ - 1);
    if (position_in(member, position) != position) return std::nullopt;
    if (places_ > 1 && position_in(member, last) >= last) return std::nullopt;
    return values;
  }

 private:
  std::int64_t word(std::size_t m, std::int32_t position) const {
    return words_[m * static_cast<std::size_t>(places_) +
                  static_cast<std::size_t>(position % places_)];
  }
  // Which position's token stands where that of `position` belongs; -1 if none does.
  std::int32_t position_in(std::size_t m, std::int32_t position) const {
    return static_cast<std::int32_t>(word(m, position) >> 32) - 1;
  }
  void skip_overwritten(std::size_t m) {
    std::int32_t newest = next_[m] - 1;
    for (std::int32_t i = 0; i < places_; ++i) newest = std::max(newest, position_in(m, i));
    next_[m] = std::max(next_[m], newest + 1 - static_cast<std::int32_t>(places_));
  }

  gyre::Executable& executable_;
  std::vector<std::int32_t> next_;
  std::int64_t places_;
  std::int64_t vocabulary_ = 0;
  std::vector<std::int64_t> words_;
};

}  // namespace forwards
