/// Folds within one index of a sweep, by one thread or by a team, in the strand shape of
/// gyre/ir/strands.hpp.
#pragma once

#include "kernels/both.cuh"
#include "kernels/fold.cuh"
#include "kernels/range.cuh"
#include "kernels/team.cuh"

namespace gyre {

/// Roots of a tree that wait for their right neighbours, one on each level: the binary digits of
/// how many there were say which ones do. A struct in a struct, so that they wait in registers.
template <class Value, int levels>
struct Waiting {
  Value value;
  Waiting<Value, levels - 1> above;

  /// Adds root number `number` of this level; returns the root of what it completes.
  template <class Combine>
  __device__ Value add(long long number, Value root, Combine combine) {
    if ((number & 1) == 0) return value = root;
    return above.add(number >> 1, combine(value, root), combine);
  }
};
template <class Value>
struct Waiting<Value, 0> {
  template <class Combine>
  __device__ Value add(long long, Value root, Combine) {
    return root;
  }
};

/// The tree over `width` of `strands` strands, from strand `first` on; `at(t)` is term t of m.
/// Terms that lie side by side are asked for side by side, since their loads share sectors and wait
/// together.
template <class Fold, int width, class Number, class At>
__device__ inline typename Fold::Value fold_adjacent(Number first, Number strands, Number m,
                                                     At at) {
  typename Fold::Value roots[width];
#pragma unroll
  for (int i = 0; i < width; ++i) roots[i] = at(first + i);
  Number t = first + strands;
  for (; t + width <= m; t += strands) {
#pragma unroll
    for (int i = 0; i < width; ++i) roots[i] = Fold::combine(roots[i], at(t + i));
  }
#pragma unroll
  for (int i = 0; i + 1 < width; ++i) {
    if (t + i < m) roots[i] = Fold::combine(roots[i], at(t + i));
  }
#pragma unroll
  for (int distance = 1; distance < width; distance *= 2) {
#pragma unroll
    for (int i = 0; i + distance < width; i += 2 * distance) {
      roots[i] = Fold::combine(roots[i], roots[i + distance]);
    }
  }
  return roots[0];
}

/// Terms 0, 1, … of m added one behind the other. Several are loaded before the first of them is
/// added, so that memory answers them together; the order of additions stays.
template <class Fold, class At>
__device__ inline typename Fold::Value fold_strand(int m, At& at) {
  // With more a thread would need more than 32 registers, and the blocks of the largest grid would
  // not all be on a GPU at once.
  constexpr int at_once = 3;
  Strand<Fold> strand;
#pragma unroll 1
  for (int t = 0; t < m; t += at_once) {
    typename Fold::Value next[at_once];
    const int left = m - t;
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (i == 0 || i < left) next[i] = at(t + i);
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      if (i == 0 || i < left) strand.add(next[i]);
    }
  }
  return strand.value;
}

/// `at(t)` for t in 0..m, strand by strand. Roots wait in local memory for their neighbours: the
/// binary digits of s say which ones do.
template <class Fold, class At>
__device__ inline typename Fold::Value fold_waiting(long long m, At& at) {
  // As many strands as 2^shift, which costs a register less than their number.
  const int w = static_cast<int>(strands::inner(m));
  int shift = 0;
  while (1 << shift < w) ++shift;
  const int least_terms = static_cast<int>(m >> shift);
  const int longer_strands = static_cast<int>(m) & ((1 << shift) - 1);
  typename Fold::Value waiting[9];
#pragma unroll 1
  for (int s = 0;; ++s) {
    auto value = at(s);
    const int terms = least_terms + (s < longer_strands ? 1 : 0);
#pragma unroll 1
    for (int k = 1; k < terms; ++k) {
      value = Fold::combine(value, at(s + (static_cast<long long>(k) << shift)));
    }
    int level = 0;
#pragma unroll 1
    for (int bits = s; (bits & 1) != 0; bits >>= 1) {
      value = Fold::combine(waiting[level++], value);
    }
    if (s + 1 == 1 << shift) return value;
    waiting[level] = value;
  }
}

/// The same, quick where there are few terms, as in the rows of most sparse matrices: with few
/// registers more blocks run at once.
template <class Fold, class At>
__device__ inline typename Fold::Value fold_few(long long m, At at) {
  return m < 8 ? fold_strand<Fold>(static_cast<int>(m), at) : fold_waiting<Fold>(m, at);
}

/// The same, quick where there are many terms: four strands at a time, and all in registers. `at`
/// is compiled into many places.
template <class Fold, class At>
__device__ inline typename Fold::Value fold_many(long long m, At at) {
  if (m < 8) return fold_adjacent<Fold, 1>(0, 1, static_cast<int>(m), at);
  if (m < 16) return fold_adjacent<Fold, 2>(0, 2, static_cast<int>(m), at);
  const long long w = strands::inner(m);
  Waiting<typename Fold::Value, 7> waiting;
  for (long long s = 0;; s += 4) {
    const auto root = waiting.add(s / 4, fold_adjacent<Fold, 4>(s, w, m, at), Fold::combine);
    if (s + 4 == w) return root;
  }
}

/// Strand `first` of `strands`. Four terms are loaded before the first of them is added, so that
/// memory answers them together; the order of additions stays.
template <class Fold, class At>
__device__ inline typename Fold::Value fold_one_strand(long long first, long long strands,
                                                       long long m, At& at) {
  constexpr int at_once = 4;
  typename Fold::Value value{};
  long long t = first;
#pragma unroll 1
  for (bool is_first = true; t + (at_once - 1) * strands < m; t += at_once * strands) {
    typename Fold::Value next[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) next[i] = at(t + i * strands);
    value = is_first ? next[0] : Fold::combine(value, next[0]);
    is_first = false;
#pragma unroll
    for (int i = 1; i < at_once; ++i) value = Fold::combine(value, next[i]);
  }
#pragma unroll 1
  for (; t < m; t += strands) value = t == first ? at(t) : Fold::combine(value, at(t));
  return value;
}

/// The same by a team of more than one thread: each lane has as many strands as the others, side by
/// side, or some have one and the others none. Every lane has the result.
template <class Fold, class At>
__device__ inline typename Fold::Value fold_shared(const Team& team, long long m, At at) {
  const long long w = strands::inner(m);
  const int lanes = static_cast<int>(w < team.lanes ? w : team.lanes);
  // A block has a lane for each strand.
  const long long each = team.lanes >= strands::max_inner ? 1 : w / lanes;
  typename Fold::Value value{};
  if (team.lane() < lanes) {
    Waiting<typename Fold::Value, 4> waiting;
    for (long long i = 0; i < each; ++i) {
      const long long s = team.lane() * each + i;
      value = waiting.add(i, fold_one_strand<Fold>(s, w, m, at), Fold::combine);
    }
  }
  return team.combine<Fold>(value, lanes);
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

  /// `term` takes an index of each range. For folds of few terms, and for terms of much text.
  template <class Term>
  __device__ typename Fold::Result of(Term term) const {
    const auto at = terms(term);
    return count() <= 0 ? Fold::empty() : Fold::result(fold_few<Fold>(count(), at));
  }
  /// For folds of many terms.
  template <class Term>
  __device__ typename Fold::Result of_many(Term term) const {
    const auto at = terms(term);
    return count() <= 0 ? Fold::empty() : Fold::result(fold_many<Fold>(count(), at));
  }
  /// The same two where a team has the point: all of it call them, with the same ranges.
  template <class Term>
  __device__ typename Fold::Result of(const Team& team, Term term) const {
    return team.is_one_thread() ? of(term) : shared(team, term);
  }
  template <class Term>
  __device__ typename Fold::Result of_many(const Team& team, Term term) const {
    return team.is_one_thread() ? of_many(term) : shared(team, term);
  }

 protected:
  /// Term t, for t from 0 on.
  template <class Term>
  __device__ auto terms(Term& term) const {
    // Only a fold to an index asks where a term stands, and those have one range.
    return [&, this](long long t) { return Fold::first(at(term, t), over[0][t]); };
  }
  template <class Term>
  __device__ typename Fold::Result shared(const Team& team, Term& term) const {
    const auto at = terms(term);
    return count() <= 0 ? Fold::empty() : Fold::result(fold_shared<Fold>(team, count(), at));
  }
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
