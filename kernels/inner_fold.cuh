/// Folds within one index of a sweep: one thread, in the strand shape of gyre/ir/strands.hpp.
#pragma once

#include "kernels/fold.cuh"
#include "kernels/range.cuh"

namespace gyre {

/// Adds terms first, first + w, … below m to a strand. Several are loaded before the first of them
/// is added, so that memory answers them together; the order of additions stays.
template <class Fold, class Number, class Term, class Index>
__device__ inline void add_terms(typename Fold::Value& value, Number first, Number w, Number m,
                                 Term& term, Index& index) {
  constexpr int at_once = 4;
#pragma unroll 1
  for (Number t = first; t < m; t += at_once * w) {
    typename Fold::Value next[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (i == 0 || t + i * w < m) next[i] = Fold::first(term(t + i * w), index(t + i * w));
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (i == 0 || t + i * w < m) value = Fold::combine(value, next[i]);
    }
  }
}

/// `term(t)` for t in 0..m; `index(t)` is where term t stands.
template <class Fold, class Term, class Index>
__device__ inline typename Fold::Result fold_terms(long long m, Term term, Index index) {
  using Value = typename Fold::Value;
  if (m <= 0) return Fold::empty();
  const long long w = strands::inner(m);
  if (w == 1) {
    // Few terms: the rows of most sparse matrices.
    Value value = Fold::first(term(0), index(0));
    add_terms<Fold>(value, 1, 1, static_cast<int>(m), term, index);
    return Fold::result(value);
  }
  // Finished strands wait for their neighbours: the binary digits of s say which ones do.
  Value waiting[9];
#pragma unroll 1
  for (long long s = 0;; ++s) {
    Value value = Fold::first(term(s), index(s));
    add_terms<Fold>(value, s + w, w, m, term, index);
    int level = 0;
    for (long long bits = s; (bits & 1) != 0; bits >>= 1) {
      value = Fold::combine(waiting[level++], value);
    }
    if (s + 1 == w) return Fold::result(value);
    waiting[level] = value;
  }
}

/// A fold over the points of `ranges` ranges, row-major.
template <class Fold, int ranges>
struct InnerFold {
  Range over[ranges];

  __device__ long long count() const {
    unsigned long long points = 1;
    for (const Range& range : over) points *= range.count;
    return static_cast<long long>(points);
  }

  /// `term` takes an index of each range.
  template <class Term>
  __device__ typename Fold::Result of(Term term) const {
    return fold_terms<Fold>(
        count(), [&](long long t) { return at(term, t); },
        // Only a fold to an index asks where a term stands, and those have one range.
        [&](long long t) { return over[0][t]; });
  }

 protected:
  template <int left = ranges, class Term, class... Later>
  __device__ auto at(Term& term, unsigned long long rest, Later... later) const {
    if constexpr (left == 1) {
      return term(over[0][rest], later...);
    } else {
      const long long index = over[left - 1].take(rest);
      return at<left - 1>(term, rest, index, later...);
    }
  }
};

/// `fold<Sum<double>>(Range{0, n}).of([&](long long k) { return x[k]; })`.
template <class Fold, class... Ranges>
__device__ inline InnerFold<Fold, sizeof...(Ranges)> fold(Ranges... over) {
  return {{over...}};
}

}  // namespace gyre
