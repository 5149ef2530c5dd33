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
  /// By how much the choices were decided, at the closest of them: in logits, or in parts of a
  /// draw.
  float least_lead = INFINITY;
};

/// Decodes with `choose(logits, decoded)`, which gives the token behind those decoded so far.
template <class Choose>
Decoded decode(const DecoderWeights& weights, const Request& request, const Choose& choose) {
  Decoded decoded;
  decoded.tokens = request.prompt;
  const auto is_full = [&] {
    return static_cast<std::int32_t>(decoded.tokens.size()) >= request.most_tokens;
  };
  if (is_full()) decoded.ended = at_most_tokens;
  Decoder decoder(weights);
  for (std::size_t i = 0; decoded.ended == running; ++i) {
    const Row logits = decoder.logits(decoded.tokens[i]);
    if (i + 1 < decoded.tokens.size()) continue;
    decoded.tokens.push_back(static_cast<std::int32_t>(choose(logits, decoded)));
    if (decoded.tokens.back() == request.stop_token) {
      decoded.ended = end_of_sequence;
    } else if (is_full()) {
      decoded.ended = at_most_tokens;
    }
  }
  return decoded;
}

inline Decoded greedy_decode(const DecoderWeights& weights, const Request& request) {
  return decode(weights, request, [](Row logits, Decoded& decoded) {
    const std::size_t next = largest(logits);
    const float best = std::exchange(logits[next], -INFINITY);
    decoded.least_lead = std::min(decoded.least_lead, best - logits[largest(logits)]);
    return next;
  });
}

/// `draw(position)` is in [0, 1).
template <class Draw>
Decoded top_k_decode(const DecoderWeights& weights, const Request& request, std::size_t k,
                     float temperature, const Draw& draw) {
  return decode(weights, request, [&](Row logits, Decoded& decoded) {
    const auto decide = [&](float lead) {
      decoded.least_lead = std::min(decoded.least_lead, lead);
    };
    std::vector<std::size_t> likely;
    Row weight;
    float total = 0;
    float greatest = 0;
    float last = INFINITY;
    while (likely.size() < k) {
      likely.push_back(largest(logits));
      const float logit = std::exchange(logits[likely.back()], -INFINITY);
      if (likely.size() == 1) greatest = logit;
      decide(std::exchange(last, logit) - logit);
      weight.push_back(std::exp((logit - greatest) / temperature));
      total += weight.back();
    }
    decide(last - logits[largest(logits)]);
    if (temperature <= 0) return likely[0];
    const float point = draw(decoded.tokens.size()) * total;
    float so_far = 0;
    for (std::size_t i = 0; i < k; ++i) {
      so_far += weight[i];
      decide(std::abs(so_far - point) / total);
      if (so_far > point) return likely[i];
    }
    return likely[k - 1];
  });
}

}  // namespace forwards::plain
