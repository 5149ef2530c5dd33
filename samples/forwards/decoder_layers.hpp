/// What the layers of a Decoder compute (decoder.hpp): five sweeps each.
#pragma once

#include "decoder.hpp"

namespace forwards {

inline void Decoder::forward() {
  for (int layer = 0; layer < shape_.layers; ++layer) {
    project(layer);
    attend(layer);
    mix(layer);
    widen(layer);
    narrow(layer);
  }
}

// query, keys and values = Wqkv norm(x)
inline void Decoder::project(int layer) {
  const int width = shape_.width;
  for_outputs(3 * width, [&](auto j, auto slot, auto m) {
    auto value = p_.let("value", normed_product(slot, m, [&](auto k) {
                          return norm_attention_(layer, k) * qkv_(layer, j, k);
                        }));
    auto at = p_.let("at", rows_.position(slot, m));
    auto page = p_.let("page", rows_.table(m, at / shape_.page));
    p_.if_(j < width, [&] { scatter(query_(slot, m, j)) = value; })
        .else_if(j < 2 * width,
                 [&] { scatter(keys_(layer, page, at % shape_.page, j - width)) = value; })
        .else_([&] { scatter(values_(layer, page, at % shape_.page, j - 2 * width)) = value; });
  });
}

// attended = softmax(query keysᵀ / √head_width) values, up to the row's own position: page by page,
// so that a block has work for all of its threads.
inline void Decoder::attend(int layer) {
  const int head_width = shape_.head_width();
  const int page = shape_.page;
  const auto heads = rows() * gyre::range("head", zero_, shape_.heads);
  p_.foreach(heads, gyre::Team::Block, [&](auto slot, auto m, auto head) {
    p_.if_(rows_.position(slot, m) >= 0, [&] {
      auto end = p_.let("end", rows_.position(slot, m) + 1);
      auto pages = p_.let("pages", (end + (page - 1)) / page);
      const auto cached = [&](const auto& cache, auto t, auto k) {
        return cache(layer, rows_.table(m, t / page), t % page, head * head_width + k);
      };
      p_.foreach(0, end, [&](auto t) {
        score_(slot, m, head, t) =
            sum(zero_, head_width,
                [&](auto k) {
                  return query_(slot, m, head * head_width + k) * cached(keys_, t, k);
                }) /
            sqrt(gyre::constant<float>(head_width));
      });
      auto greatest =
          p_.let("greatest", max(0, end, [&](auto t) { return score_(slot, m, head, t); }));
      p_.foreach(0, end, [&](auto t) {
        score_(slot, m, head, t) = exp(score_(slot, m, head, t) - greatest);
      });
      auto total = p_.let("total", sum(0, end, [&](auto t) { return score_(slot, m, head, t); }));
      p_.foreach(0, pages * head_width, [&](auto i) {
        auto first = p_.let("first", i / head_width * page);
        part_(slot, m, head, i) = sum(first, min(first + page, end), [&](auto t) {
          return score_(slot, m, head, t) * cached(values_, t, i % head_width);
        });
      });
      p_.foreach(zero_, head_width, [&](auto k) {
        attended_(slot, m, head, k) =
            sum(0, pages, [&](auto i) { return part_(slot, m, head, i * head_width + k); }) / total;
      });
    });
  });
}

// x += Wo attended
inline void Decoder::mix(int layer) {
  const int head_width = shape_.head_width();
  for_outputs(shape_.width, [&](auto j, auto slot, auto m) {
    rows_.x(slot, m, j) += sum(zero_, shape_.width, [&](auto k) {
      return attended_(slot, m, k / head_width, k % head_width) * projection_(layer, j, k);
    });
  });
}

// hidden = silu(Wup norm(x))
inline void Decoder::widen(int layer) {
  for_outputs(shape_.hidden, [&](auto j, auto slot, auto m) {
    auto value = p_.let("value", normed_product(slot, m, [&](auto k) {
                          return norm_mlp_(layer, k) * up_(layer, j, k);
                        }));
    hidden_(slot, m, j) = value / (1 + exp(-value));
  });
}

// x += Wdown hidden
inline void Decoder::narrow(int layer) {
  for_outputs(shape_.width, [&](auto j, auto slot, auto m) {
    rows_.x(slot, m, j) +=
        sum(zero_, shape_.hidden, [&](auto k) { return hidden_(slot, m, k) * down_(layer, j, k); });
  });
}

}  // namespace forwards
