/// Accesses of buffers that are tested: one outside ends its index with a fault and touches
/// nothing.
#pragma once

#include "kernels/fault.cuh"
#include "kernels/inner_fold.cuh"
#include "kernels/memory.cuh"

namespace gyre {

/// A buffer with its number in faults and its extents. `access` numbers the accesses of a statement
/// in their order.
template <class T, int rank>
struct Checked {
  T* data;
  unsigned number;
  long long extent[rank];

  __device__ auto load(Here& here, unsigned access, const long long (&index)[rank]) const
      -> decltype(gyre::load(data)) {
    const long long at = place(here, access, index);
    if (at < 0) return {};
    return gyre::load(data + at);
  }
  template <class Value>
  __device__ void store(Here& here, unsigned access, const long long (&index)[rank],
                        Value value) const {
    if (here.bad) return;
    const long long at = place(here, access, index);
    if (at >= 0) gyre::store(data + at, value);
  }
  template <class Value>
  __device__ void add(Here& here, unsigned access, const long long (&index)[rank],
                      Value value) const {
    if (here.bad) return;
    const long long at = place(here, access, index);
    if (at >= 0) add_to(data + at, value);
  }

 protected:
  /// The row-major place of an index, or a fault and -1.
  __device__ long long place(Here& here, unsigned access, const long long (&index)[rank]) const {
    long long place = 0;
    for (int i = 0; i < rank; ++i) {
      if (index[i] < 0 || index[i] >= extent[i]) {
        FaultIndex told{};
        for (int k = 0; k < rank; ++k) told.at[k] = index[k];
        fail(here, out_of_bounds, access, number, told);
        return -1;
      }
      place = place * extent[i] + index[i];
    }
    return place;
  }
};

/// A fold whose terms may fail.
template <class Fold, int ranges>
struct CheckedFold : InnerFold<Fold, ranges> {
  template <class Term>
  __device__ typename Fold::Result of(Here& here, Term term) const {
    // A fold adds its terms up strand by strand, but tells the fault of the first term that has
    // one. Who is watched runs them in their order first.
    const bool is_told = !here.quiet;
    if (is_told && here.is_watched()) run_in_order(here, term);
    if (here.bad) return Fold::empty();
    here.quiet = true;
    const auto result = InnerFold<Fold, ranges>::of(term);
    here.quiet = !is_told;
    if (is_told && here.bad && !here.is_watched()) {
      here.bad = false;
      run_in_order(here, term);
    }
    return result;
  }

 private:
  template <class Term>
  __device__ void run_in_order(Here& here, Term& term) const {
    const long long terms = this->count();
    for (long long t = 0; t < terms && !here.bad; ++t) this->at(term, t);
  }
};
template <class Fold, class... Ranges>
__device__ inline CheckedFold<Fold, sizeof...(Ranges)> checked_fold(Ranges... over) {
  return {{{over...}}};
}

}  // namespace gyre
