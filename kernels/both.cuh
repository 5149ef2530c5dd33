/// Two folds over the same ranges as one: each has the bits that it would have alone, since the
/// shape of a fold depends on its number of terms. Their terms are loaded in one go, and the
/// threads that share them meet once.
///
/// Three are a fold and two: Both<A, Both<B, C>>.
#pragma once

#include "kernels/fold.cuh"

namespace gyre {

template <class First, class Second>
struct Pair {
  First first;
  Second second;
};
template <class First, class Second>
Pair(First, Second) -> Pair<First, Second>;

template <class First, class Second>
struct Both {
  using Term = Pair<typename First::Term, typename Second::Term>;
  using Value = Pair<typename First::Value, typename Second::Value>;
  using Result = Pair<typename First::Result, typename Second::Result>;
  __device__ static Value first(Term term, long long index) {
    return {First::first(term.first, index), Second::first(term.second, index)};
  }
  __device__ static Value combine(Value a, Value b) {
    return {First::combine(a.first, b.first), Second::combine(a.second, b.second)};
  }
  __device__ static Result result(Value value) {
    return {First::result(value.first), Second::result(value.second)};
  }
  __device__ static Result empty() { return {First::empty(), Second::empty()}; }
};

template <class First, class Second>
__device__ inline Pair<First, Second> shuffle_down(Pair<First, Second> value, unsigned distance) {
  return {shuffle_down(value.first, distance), shuffle_down(value.second, distance)};
}
template <class First, class Second>
__device__ inline Pair<First, Second> from_first_lane(Pair<First, Second> value) {
  return {from_first_lane(value.first), from_first_lane(value.second)};
}

}  // namespace gyre
