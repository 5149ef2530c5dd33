/// Dense layers of a program as calls: to the kernel of dense_kernels.hpp, which promises a guard,
/// and to cuBLASLt, which cannot.
///
/// Sums are taken in another order than in the language, and results agree within rounding. The
/// number of a layer must be known while the program is built.
#pragma once

#include "dense.hpp"
#include "dense_kernels.hpp"
#include "dense_library.hpp"

#include <memory>
#include <stdexcept>

namespace forwards {
namespace detail {

/// Where the objects of a layer lie.
inline DenseArrays arrays_of(const gyre::CallContext& c, const Dense& d) {
  const auto& extents = c.view(d.w).extents;
  const std::int64_t outputs = extents[1];
  const std::int64_t inputs = extents[2];
  DenseArrays arrays{c.view(d.y).extents[0],
                     outputs,
                     inputs,
                     c.ptr(d.x),
                     c.ptr(d.w) + *d.layer.number * outputs * inputs,
                     c.ptr(d.b) + *d.layer.number * outputs,
                     c.ptr(d.y),
                     d.activation == Activation::Relu};
  if (d.only) {
    arrays.tag = c.ptr(d.only->tag);
    arrays.wanted = d.only->wanted;
  }
  return arrays;
}

template <class Work>
gyre::builder::CallChain call_dense(gyre::Program& p, const Dense& d, const Work& work) {
  if (!d.layer.number) throw std::invalid_argument("a call wants to know its layer's number");
  auto read = gyre::reads(d.x, d.w, d.b);
  if (d.only) read.objects.push_back(d.only->tag.object());
  const bool keeps = d.only && d.only->keep_others;
  return p.call("dense", read, keeps ? gyre::updates(d.y) : gyre::writes(d.y),
                [d, work](gyre::CallContext& c) { work(c, arrays_of(c, d)); });
}

}  // namespace detail

/// The layer as a kernel of one's own that promises a guard. Rows that take no part are left as
/// they are.
inline void dense_in_guarded_kernel(gyre::Program& p, const Dense& d) {
  detail::call_dense(p, d, [](gyre::CallContext& c, const DenseArrays& arrays) {
    put_dense(c.stream(), c.guard(), arrays);
  }).guarded();
}

/// The layer by cuBLASLt. It multiplies all rows; of one that keeps rows as they are it copies
/// those that take part.
inline DenseForm make_dense_in_library(std::shared_ptr<DenseLibrary> library) {
  return [library](gyre::Program& p, const Dense& d) {
    const bool keeps = d.only && d.only->keep_others;
    detail::call_dense(p, d, [library, keeps](gyre::CallContext& c, DenseArrays arrays) {
      float* const y = arrays.y;
      const auto count = static_cast<std::size_t>(arrays.rows * arrays.outputs);
      char* memory = c.temporary<char>(DenseLibrary::workspace_bytes + count * sizeof(float));
      if (keeps) arrays.y = reinterpret_cast<float*>(memory + DenseLibrary::workspace_bytes);
      library->put(c.stream(), memory, arrays);
      if (!keeps) return;
      const float* from = arrays.y;
      arrays.y = y;
      put_rows(c.stream(), from, arrays);
    });
  };
}

}  // namespace forwards
