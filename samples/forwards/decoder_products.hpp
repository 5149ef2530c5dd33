/// The forward of a Decoder whose matrix products are somebody else's (decoder.hpp): what stands
/// between them.
#pragma once

#include "decoder.hpp"

namespace forwards {

inline void Decoder::forward_by(const ProductForm& product) {
  const int width = shape_.width;
  const auto normed = row_buffer("normed", width);
  const auto projected = row_buffer("projected", 3 * width);
  for (int layer = 0; layer < shape_.layers; ++layer) {
    normalise(norm_attention_, layer, normed);
    product(p_, {normed, projected, qkv_, layer, width, 3 * width, false});
    fill_cache(layer, projected);
    attend(layer);
    product(p_, {attended_, rows_.x, projection_, layer, width, width, true});
    normalise(norm_mlp_, layer, normed);
    product(p_, {normed, hidden_, up_, layer, width, shape_.hidden, false});
    p_.foreach(rows() * gyre::range("k", zero_, shape_.hidden), [&](auto slot, auto m, auto k) {
      hidden_(slot, m, k) /= 1 + exp(-hidden_(slot, m, k));
    });
    product(p_, {hidden_, rows_.x, down_, layer, shape_.hidden, width, true});
  }
}

// The products' own memory, which belongs to the whole program though a loop's body asks for it.
inline gyre::Buffer<float> Decoder::row_buffer(const char* name, int width) {
  return p_.ahead([&] {
    return p_.temp<float>(prefix_ + name, {rows_.slots, rows_.members, width});
  });
}

// normed = x g / rms(x)
inline void Decoder::normalise(const gyre::Buffer<float>& gain, int layer,
                               const gyre::Buffer<float>& normed) {
  p_.foreach(rows(), gyre::Team::Block, [&](auto slot, auto m) {
    p_.if_(rows_.position(slot, m) >= 0, [&] {
      auto squares = p_.let("squares", sum(zero_, shape_.width, [&](auto k) {
                              return rows_.x(slot, m, k) * rows_.x(slot, m, k);
                            }));
      auto scale = p_.let("scale", rsqrt(squares / shape_.width + 1e-5));
      p_.foreach(zero_, shape_.width, [&](auto k) {
        normed(slot, m, k) = rows_.x(slot, m, k) * gain(layer, k) * scale;
      });
    });
  });
}

inline void Decoder::fill_cache(int layer, const gyre::Buffer<float>& projected) {
  const int width = shape_.width;
  p_.foreach(rows() * gyre::range("k", zero_, width), [&](auto slot, auto m, auto k) {
    p_.if_(rows_.position(slot, m) >= 0, [&] {
      auto at = p_.let("at", rows_.position(slot, m));
      auto page = p_.let("page", rows_.table(m, at / shape_.page));
      query_(slot, m, k) = projected(slot, m, k);
      scatter(keys_(layer, page, at % shape_.page, k)) = projected(slot, m, k + width);
      scatter(values_(layer, page, at % shape_.page, k)) = projected(slot, m, k + 2 * width);
    });
  });
}

}  // namespace forwards
