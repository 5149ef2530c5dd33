/// Conjugate gradients as a loop alone, for tests of what a trip takes: three sweeps, two of which
/// fold.
#pragma once

namespace gyre::support {

inline constexpr const char* cg_loop = R"(program cg(n: size, nnz: size) {
  in    row: i32[n + 1], col: i32[nnz], val: f64[nnz]
  inout x: f64[n], r: f64[n], p: f64[n], rr: f64
  temp  q: f64[n]
  while rr > 1e-9 {
    foreach i in 0..n { q[i] = sum(k in row[i]..row[i + 1]) val[k] * p[col[k]] }
    let alpha = rr / sum(i in 0..n) p[i] * q[i]
    foreach i in 0..n { x[i] += alpha * p[i]; r[i] -= alpha * q[i] }
    let next = sum(i in 0..n) r[i] * r[i]
    foreach i in 0..n { p[i] = r[i] + next / rr * p[i] }
    rr = next
  }
})";

}  // namespace gyre::support
