/// A dense layer, y = f(x Wᵀ + b) for each row of a batch, as a step of a program being built.
///
/// Written in the language it runs everywhere and gives the same bits on every executor. A program
/// takes the form as an argument, so that the same forward can be built from calls to kernels of
/// one's own or to cuBLASLt. Leaves out layers that are not dense.
#pragma once

#include <gyre/gyre.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace forwards {

enum class Activation { Identity, Relu };

/// Which of the layers whose weights stand behind each other in one buffer: a number, what a
/// program computes, or what each row says for itself.
struct Layer {
  Layer(int layer) : index(layer), number(layer) {}
  template <class T>
  Layer(const gyre::Value<T>& layer) : index(layer) {}
  Layer(const gyre::Buffer<std::int32_t>& of_each_row) : index(0), by_row(of_each_row) {}

  gyre::builder::GivenInteger of(const gyre::builder::GivenInteger& row) const {
    return by_row ? gyre::builder::GivenInteger((*by_row)[row]) : index;
  }

  gyre::builder::GivenInteger index;
  /// Where it is known while the program is built; calls to libraries want that.
  std::optional<int> number = {};
  std::optional<gyre::Buffer<std::int32_t>> by_row = {};
};

/// Of a batch the rows that bear this tag.
struct Rows {
  gyre::Buffer<std::int32_t> tag;
  std::int32_t wanted;
  /// Whether the others of what is written stay as they are. Else nobody reads them: the language
  /// makes them zero, so that all is written and a temp need not be cleared first.
  bool keep_others = false;
};

/// The objects of a layer.
struct Dense {
  /// Extents of x [rows, inputs], w [layers, outputs, inputs], b [layers, outputs] and
  /// y [rows, outputs].
  gyre::Size rows, outputs, inputs;
  gyre::Buffer<float> x, w, b, y;
  Layer layer = 0;
  Activation activation = Activation::Identity;
  /// The rows that take part; without it all do.
  std::optional<Rows> only = {};
};

/// Adds a layer to a program being built.
using DenseForm = std::function<void(gyre::Program&, const Dense&)>;

/// The layer in the language: y[r, o] = f(b[o] + Σ_k w[o, k] x[r, k]).
inline void dense_in_language(gyre::Program& p, const Dense& d) {
  p.foreach(gyre::range(0, d.rows) * gyre::range(0, d.outputs), [&](auto row, auto output) {
    const auto layer = d.layer.of(row);
    const auto product =
        sum(0, d.inputs, [&](auto k) { return d.w(layer, output, k) * d.x(row, k); });
    const auto sum_of_all = d.b(layer, output) + product;
    const auto value = d.activation == Activation::Relu ? max(sum_of_all, 0.0F) : sum_of_all;
    if (!d.only) {
      d.y(row, output) = value;
    } else if (d.only->keep_others) {
      p.if_(d.only->tag[row] == d.only->wanted, [&] { d.y(row, output) = value; });
    } else {
      d.y(row, output) = select(d.only->tag[row] == d.only->wanted, value, 0.0F);
    }
  });
}

}  // namespace forwards
