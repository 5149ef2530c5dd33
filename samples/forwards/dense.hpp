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

/// Which of the layers whose weights stand behind each other in one buffer: a number, or what a
/// program computes.
struct Layer {
  Layer(int layer) : index(layer), number(layer) {}
  template <class T>
  Layer(const gyre::Value<T>& layer) : index(layer) {}

  gyre::builder::GivenInteger index;
  /// Where it is known while the program is built; calls want that.
  std::optional<int> number = {};
};

/// Rows of a batch: those that bear this tag.
struct Rows {
  gyre::Buffer<std::int32_t> tag;
  std::int32_t wanted;
};

/// The objects of a layer; all rows of `y` that take part are written.
struct Dense {
  /// Extents of x [rows, inputs], w [layers, outputs, inputs], b [layers, outputs] and
  /// y [rows, outputs].
  gyre::Size rows, outputs, inputs;
  gyre::Buffer<float> x, w, b, y;
  Layer layer = 0;
  Activation activation = Activation::Identity;
  /// Without it all rows take part. Rows of `y` that do not are left as they are.
  std::optional<Rows> only = {};
};

/// Adds a layer to a program being built.
using DenseForm = std::function<void(gyre::Program&, const Dense&)>;

/// The layer in the language: y[r, o] = f(b[o] + Σ_k w[o, k] x[r, k]).
inline void dense_in_language(gyre::Program& p, const Dense& d) {
  p.foreach(gyre::range(0, d.rows) * gyre::range(0, d.outputs), [&](auto row, auto output) {
    const auto store = [&] {
      const auto& layer = d.layer.index;
      const auto product =
          sum(0, d.inputs, [&](auto k) { return d.w(layer, output, k) * d.x(row, k); });
      const auto value = d.b(layer, output) + product;
      if (d.activation == Activation::Relu) {
        d.y(row, output) = max(value, 0.0F);
      } else {
        d.y(row, output) = value;
      }
    };
    if (d.only) {
      p.if_(d.only->tag[row] == d.only->wanted, store);
    } else {
      store();
    }
  });
}

}  // namespace forwards
