/// What forwards are compared with: the same arithmetic as straight C++, without gyre.
///
/// Its floats have the bits of gyre's where it is compiled without contraction
/// (`-ffp-contract=off`, which is the default of g++ on x86-64 without FMA).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace forwards::plain {

/// The sum of `term(0)` to `term(count - 1)` in the shape that folds within a foreach have
/// (docs/language.md): strand s takes terms s, s + W, s + 2W, … in turn, and neighbouring strands
/// are added in pairs until one is left.
template <class Term>
float sum(std::size_t count, const Term& term) {
  if (count == 0) return 0;
  std::size_t width = 1;
  while (width * 8 <= count && width < 256) width *= 2;
  std::vector<float> strands(width);
  for (std::size_t s = 0; s < width; ++s) {
    strands[s] = term(s);
    for (std::size_t i = s + width; i < count; i += width) strands[s] += term(i);
  }
  for (std::size_t gap = 1; gap < width; gap *= 2) {
    for (std::size_t s = 0; s < width; s += 2 * gap) strands[s] += strands[s + gap];
  }
  return strands[0];
}

/// f(b + W x) of one row: `w` holds as many rows as `b` has values, each as long as `x`.
inline std::vector<float> dense(const float* w, const float* b, std::size_t outputs,
                                const std::vector<float>& x, bool relu) {
  std::vector<float> y(outputs);
  for (std::size_t o = 0; o < outputs; ++o) {
    const float* row = w + o * x.size();
    y[o] = b[o] + sum(x.size(), [&](std::size_t k) { return row[k] * x[k]; });
    if (relu && !(y[o] > 0)) y[o] = 0;
  }
  return y;
}

/// Where the largest value stands, the first of equal ones.
inline std::size_t largest(const std::vector<float>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

}  // namespace forwards::plain
