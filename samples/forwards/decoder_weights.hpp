/// Weights of a decoder that nobody has trained, by a seed.
#pragma once

#include "decoder.hpp"
#include "weights.hpp"

#include <string>
#include <utility>
#include <vector>

namespace forwards {

/// What a Decoder declares as `in`, by the same names.
struct DecoderWeights {
  DecoderShape shape;
  std::vector<float> embedding, positions, norm_attention, qkv, projection, norm_mlp, up, down,
      norm_final, unembedding;

  /// Calls `visit(name, values, extents)` for each of them.
  template <class Self, class Visit>
  static void each(Self& self, const Visit& visit) {
    const std::int64_t layers = self.shape.layers;
    const std::int64_t width = self.shape.width;
    const std::int64_t hidden = self.shape.hidden;
    const std::int64_t vocabulary = self.shape.vocabulary;
    using Extents = std::vector<std::int64_t>;
    visit("embedding", self.embedding, Extents{vocabulary, width});
    visit("positions", self.positions, Extents{self.shape.positions, width});
    visit("norm_attention", self.norm_attention, Extents{layers, width});
    visit("qkv", self.qkv, Extents{layers, 3 * width, width});
    visit("projection", self.projection, Extents{layers, width, width});
    visit("norm_mlp", self.norm_mlp, Extents{layers, width});
    visit("up", self.up, Extents{layers, hidden, width});
    visit("down", self.down, Extents{layers, width, hidden});
    visit("norm_final", self.norm_final, Extents{width});
    visit("unembedding", self.unembedding, Extents{vocabulary, width});
  }

  /// Binds all of them, which outlive the launches.
  void bind(gyre::Executable& executable, const std::string& prefix = "") const {
    each(*this, [&](const char* name, const auto& values, auto extents) {
      executable.bind_steady(prefix + name, values, std::move(extents));
    });
  }
};

inline std::size_t count_of(const std::vector<std::int64_t>& extents) {
  std::size_t count = 1;
  for (const std::int64_t extent : extents) count *= static_cast<std::size_t>(extent);
  return count;
}

/// Matrices of a size by which values neither fade nor grow, embeddings and gains around one.
inline DecoderWeights make_decoder_weights(const DecoderShape& shape, std::uint64_t seed) {
  DecoderWeights weights;
  weights.shape = shape;
  DecoderWeights::each(weights, [&](const std::string& name, auto& values, const auto& extents) {
    if (name.starts_with("norm")) {
      values = make_values(++seed, count_of(extents), 0.25F);
      for (float& gain : values) gain += 1;
    } else if (name == "embedding" || name == "positions") {
      values = make_values(++seed, count_of(extents));
    } else {
      values = make_weights(++seed, count_of(extents), static_cast<std::size_t>(extents.back()));
    }
  });
  return weights;
}

/// A large decoder and a small one that agree more often than not: the layers behind the first add
/// little, and the small one has none of them.
struct DecoderPair {
  DecoderWeights target, draft;
};
inline DecoderPair make_decoder_pair(const DecoderShape& shape, std::uint64_t seed, float little) {
  DecoderPair pair{make_decoder_weights(shape, seed), {}};
  pair.draft = pair.target;
  pair.draft.shape.layers = 1;
  DecoderWeights::each(pair.draft, [&](const char*, auto& values, const auto& extents) {
    values.resize(count_of(extents));
  });
  for (auto matrix : {&DecoderWeights::projection, &DecoderWeights::down}) {
    auto& values = pair.target.*matrix;
    for (std::size_t i = (pair.draft.*matrix).size(); i < values.size(); ++i) values[i] *= little;
  }
  return pair;
}

}  // namespace forwards
