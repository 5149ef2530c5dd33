/// A small transformer decoder over a paged cache of keys and values, as statements of a program:
/// what a token costs, written once for every loop that decodes with it.
///
/// Pre-norm blocks: RMS norm, causal attention, residual; RMS norm, an MLP with SiLU, residual.
/// Positions are learned. Everything is f32. Leaves out which token comes next (greedy.hpp,
/// top_k.hpp, speculative.hpp) and the numbers themselves (decoder_weights.hpp).
#pragma once

#include <gyre/gyre.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace forwards {

/// The sizes of a decoder. They are part of the program's text, so that its kernels know them.
struct DecoderShape {
  int layers = 2;
  int width = 64;
  int heads = 4;
  int hidden = 256;
  int vocabulary = 256;
  /// The most tokens that a member may have, prompt included.
  int positions = 320;
  /// Positions that one page of the cache holds.
  int page = 16;

  int head_width() const { return width / heads; }
  /// How many pages hold all positions of a member.
  int member_pages() const { return (positions + page - 1) / page; }
};

/// What a forward works on: up to `slots` tokens of each member of a batch.
struct DecoderRows {
  gyre::Value<std::int64_t> members;
  int slots = 1;
  /// [slots, members] The token's position among its member's, or -1: the row takes part in
  /// nothing.
  gyre::Buffer<std::int32_t> position;
  /// [slots, members, width] What a forward begins with: `embedded` for each row.
  gyre::Buffer<float> x;
  /// [members, member_pages] Which page of the cache holds a member's positions.
  gyre::Buffer<std::int32_t> table;
};

/// y = x Wᵀ for every row of a forward, or y += x Wᵀ where it `adds`.
struct MatrixProduct {
  /// [slots, members, …], `inputs` values a row, and [slots, members, outputs].
  gyre::Buffer<float> x, y;
  /// [layers, outputs, inputs], of which this layer.
  gyre::Buffer<float> weights;
  int layer, inputs, outputs;
  bool adds;
};
/// Adds a product to a program being built: a call of a library, for instance (cublas_product.hpp).
using ProductForm = std::function<void(gyre::Program&, const MatrixProduct&)>;

/// A decoder's weights and cache, declared in a program, and its forward. Names begin with
/// `prefix`, so that a program may have two.
class Decoder {
 public:
  Decoder(gyre::Program& program, const DecoderShape& shape, const DecoderRows& rows,
          const gyre::Size& pages, const std::string& prefix = "");

  const DecoderShape& shape() const { return shape_; }
  const gyre::Buffer<float>& x() const { return rows_.x; }

  /// Element `k` of what stands for `token` at `position`.
  template <class Token, class Position, class K>
  auto embedded(const Token& token, const Position& position, const K& k) const {
    return embedding_(token, k) + positions_(position, k);
  }

  /// Takes each row through all layers: its keys and values go into the cache, and it attends to
  /// what the cache has of its member up to its own position. Rows of a member see each other's.
  void forward();
  /// The same with the matrix products of the layers in a form of the caller's: up to rounding, and
  /// rows that take part in nothing are computed too, for nothing.
  void forward_by(const ProductForm& product);

  /// The logit of token `v` behind a row; within a foreach, behind `forward`.
  template <class Slot, class Member, class V>
  auto logit(const Slot& slot, const Member& m, const V& v) const {
    return normed_product(slot, m, [&](auto k) { return norm_final_[k] * unembedding_(v, k); });
  }

 private:
  // RMS norm and product in one go over the row: sum(x g w) / rms(x).
  template <class Slot, class Member, class Weight>
  auto normed_product(const Slot& slot, const Member& m, const Weight& weight) const {
    auto squares = p_.let("squares", sum(zero_, shape_.width, [&](auto k) {
                            return rows_.x(slot, m, k) * rows_.x(slot, m, k);
                          }));
    auto product = p_.let("product", sum(zero_, shape_.width,
                                         [&](auto k) { return rows_.x(slot, m, k) * weight(k); }));
    return product * rsqrt(squares / shape_.width + 1e-5);
  }

  auto rows() const {
    return gyre::range("slot", zero_, rows_.slots) * gyre::range("m", 0, rows_.members);
  }
  // For each output `j` of a layer and each row that takes part, a warp.
  template <class Body>
  void for_outputs(int outputs, const Body& body) {
    p_.foreach(gyre::range("j", zero_, outputs) * rows(), gyre::Team::Warp,
               [&](auto j, auto slot, auto m) {
                 p_.if_(rows_.position(slot, m) >= 0, [&] { body(j, slot, m); });
               });
  }

  void project(int layer);
  void attend(int layer);
  void mix(int layer);
  void widen(int layer);
  void narrow(int layer);

  gyre::Buffer<float> row_buffer(const char* name, int width);
  void normalise(const gyre::Buffer<float>& gain, int layer, const gyre::Buffer<float>& normed);
  void fill_cache(int layer, const gyre::Buffer<float>& projected);

  gyre::Program& p_;
  DecoderShape shape_;
  std::string prefix_;
  DecoderRows rows_;
  gyre::Value<std::int32_t> zero_;
  gyre::Buffer<float> embedding_, positions_, norm_attention_, qkv_, projection_, norm_mlp_, up_,
      down_, norm_final_, unembedding_;
  gyre::Buffer<float> keys_, values_;
  gyre::Buffer<float> query_, score_, part_, attended_, hidden_;
};

inline Decoder::Decoder(gyre::Program& program, const DecoderShape& s, const DecoderRows& rows,
                        const gyre::Size& pages, const std::string& prefix)
    : p_(program),
      shape_(s),
      prefix_(prefix),
      rows_(rows),
      zero_(program.constant(0)),
      embedding_(p_.in<float>(prefix + "embedding", {s.vocabulary, s.width})),
      positions_(p_.in<float>(prefix + "positions", {s.positions, s.width})),
      norm_attention_(p_.in<float>(prefix + "norm_attention", {s.layers, s.width})),
      qkv_(p_.in<float>(prefix + "qkv", {s.layers, 3 * s.width, s.width})),
      projection_(p_.in<float>(prefix + "projection", {s.layers, s.width, s.width})),
      norm_mlp_(p_.in<float>(prefix + "norm_mlp", {s.layers, s.width})),
      up_(p_.in<float>(prefix + "up", {s.layers, s.hidden, s.width})),
      down_(p_.in<float>(prefix + "down", {s.layers, s.width, s.hidden})),
      norm_final_(p_.in<float>(prefix + "norm_final", {s.width})),
      unembedding_(p_.in<float>(prefix + "unembedding", {s.vocabulary, s.width})),
      keys_(p_.inout<float>(prefix + "keys", {s.layers, pages, s.page, s.width})),
      values_(p_.inout<float>(prefix + "values", {s.layers, pages, s.page, s.width})),
      query_(p_.temp<float>(prefix + "query", {rows.slots, rows.members, s.width})),
      score_(p_.temp<float>(prefix + "score", {rows.slots, rows.members, s.heads, s.positions})),
      part_(p_.temp<float>(prefix + "part",
                           {rows.slots, rows.members, s.heads, s.member_pages() * s.head_width()})),
      attended_(
          p_.temp<float>(prefix + "attended", {rows.slots, rows.members, s.heads, s.head_width()})),
      hidden_(p_.temp<float>(prefix + "hidden", {rows.slots, rows.members, s.hidden})) {}

}  // namespace forwards

#include "decoder_layers.hpp"
#include "decoder_products.hpp"
