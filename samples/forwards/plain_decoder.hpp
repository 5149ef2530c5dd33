/// The decoder as straight C++, one sequence at a time and without pages: what the programs are
/// compared with.
#pragma once

#include "batch.hpp"
#include "decoder_weights.hpp"
#include "plain.hpp"

#include <cmath>
#include <vector>

namespace forwards::plain {

using Row = std::vector<float>;

/// One sequence on its way through the decoder.
class Decoder {
 public:
  explicit Decoder(const DecoderWeights& weights)
      : w_(weights), keys_(size(weights.shape.layers)), values_(keys_.size()) {}

  /// The logits behind the next token of the sequence.
  Row logits(std::int32_t token) {
    const std::size_t width = size(w_.shape.width);
    Row x(width);
    for (std::size_t k = 0; k < width; ++k) {
      x[k] = w_.embedding[size(token) * width + k] + w_.positions[position_ * width + k];
    }
    for (std::size_t layer = 0; layer < keys_.size(); ++layer) pass(layer, x);
    ++position_;
    return normed_product(x, w_.norm_final.data(), w_.unembedding.data(),
                          size(w_.shape.vocabulary));
  }
  /// Forgets all but the first `positions` tokens.
  void cut(std::size_t positions) {
    for (auto& rows : keys_) rows.resize(positions);
    for (auto& rows : values_) rows.resize(positions);
    position_ = positions;
  }

 private:
  static std::size_t size(int number) { return static_cast<std::size_t>(number); }

  static Row product(const Row& x, const float* matrix, std::size_t outputs) {
    return dense(matrix, Row(outputs).data(), outputs, x, false);
  }
  static Row normed_product(const Row& x, const float* gain, const float* matrix,
                            std::size_t outputs) {
    const float squares = sum(x.size(), [&](std::size_t k) { return x[k] * x[k]; });
    const float scale = 1.0F / std::sqrt(squares / static_cast<float>(x.size()) + 1e-5F);
    Row y(outputs);
    for (std::size_t o = 0; o < outputs; ++o) {
      const float* row = matrix + o * x.size();
      y[o] = sum(x.size(), [&](std::size_t k) { return x[k] * (gain[k] * row[k]); }) * scale;
    }
    return y;
  }

  void pass(std::size_t layer, Row& x) {
    const std::size_t width = x.size();
    const std::size_t hidden = size(w_.shape.hidden);
    const Row qkv = normed_product(x, &w_.norm_attention[layer * width],
                                   &w_.qkv[layer * 3 * width * width], 3 * width);
    const auto third = [&](std::size_t i) {
      const auto first = qkv.begin() + static_cast<std::ptrdiff_t>(i * width);
      return Row(first, first + static_cast<std::ptrdiff_t>(width));
    };
    keys_[layer].push_back(third(1));
    values_[layer].push_back(third(2));
    const Row mixed =
        product(attend(layer, third(0)), &w_.projection[layer * width * width], width);
    for (std::size_t k = 0; k < width; ++k) x[k] += mixed[k];

    Row h = normed_product(x, &w_.norm_mlp[layer * width], &w_.up[layer * hidden * width], hidden);
    for (float& value : h) value = value / (1 + std::exp(-value));
    const Row narrowed = product(h, &w_.down[layer * width * hidden], width);
    for (std::size_t k = 0; k < width; ++k) x[k] += narrowed[k];
  }

  Row attend(std::size_t layer, const Row& query) const {
    const std::size_t end = keys_[layer].size();
    const std::size_t page = size(w_.shape.page);
    const std::size_t head_width = size(w_.shape.head_width());
    Row attended(query.size());
    for (std::size_t head = 0; head < query.size(); head += head_width) {
      Row score(end);
      for (std::size_t t = 0; t < end; ++t) {
        const Row& key = keys_[layer][t];
        score[t] = sum(head_width, [&](std::size_t k) { return query[head + k] * key[head + k]; }) /
                   std::sqrt(static_cast<float>(head_width));
      }
      const float greatest = score[largest(score)];
      for (float& value : score) value = std::exp(value - greatest);
      const float total = sum(end, [&](std::size_t t) { return score[t]; });
      for (std::size_t k = 0; k < head_width; ++k) {
        const auto part = [&](std::size_t first) {
          return sum(std::min(page, end - first), [&](std::size_t t) {
            return score[first + t] * values_[layer][first + t][head + k];
          });
        };
        attended[head + k] =
            sum((end + page - 1) / page, [&](std::size_t i) { return part(i * page); }) / total;
      }
    }
    return attended;
  }

  const DecoderWeights& w_;
  /// [layer][position][width]
  std::vector<std::vector<Row>> keys_, values_;
  std::size_t position_ = 0;
};

/// What becomes of a request, and how clear each choice was.
struct Decoded {
  Tokens tokens;
  std::int32_t ended = running;
  /// By how much the likeliest token led the next one, at the closest of the choices.
  float least_lead = INFINITY;
};

inline Decoded greedy_decode(const DecoderWeights& weights, const Request& request) {
  Decoded decoded{.tokens = request.prompt};
  if (static_cast<std::int32_t>(decoded.tokens.size()) >= request.most_tokens) {
    decoded.ended = at_most_tokens;
    return decoded;
  }
  Decoder decoder(weights);
  for (std::size_t i = 0; decoded.ended == running; ++i) {
    Row logits = decoder.logits(decoded.tokens[i]);
    if (i + 1 < decoded.tokens.size()) continue;
    const std::size_t next = largest(logits);
    decoded.tokens.push_back(static_cast<std::int32_t>(next));
    const float best = std::exchange(logits[next], -INFINITY);
    decoded.least_lead = std::min(decoded.least_lead, best - logits[largest(logits)]);
    if (decoded.tokens.back() == request.stop_token) {
      decoded.ended = end_of_sequence;
    } else if (static_cast<std::int32_t>(decoded.tokens.size()) >= request.most_tokens) {
      decoded.ended = at_most_tokens;
    }
  }
  return decoded;
}

}  // namespace forwards::plain
