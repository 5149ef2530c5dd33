/// Conjugate gradients as every bench runs them.
#pragma once

namespace gyre::bench {

inline constexpr const char* cg_text = R"(
program cg(n: size, nnz: size) {
  in    row: i32[n + 1], col: i32[nnz], val: f64[nnz], b: f64[n]
  inout x: f64[n]
  in    rtol: f64 = 0.0, max_trips: i32 = 1000
  out   rr: f64, trips: i32 = 0
  temp  r: f64[n], p: f64[n], q: f64[n]

  foreach i in 0..n {
    let ax = sum(k in row[i]..row[i+1]) val[k] * x[col[k]]
    r[i] = b[i] - ax
    p[i] = r[i]
  }
  rr = sum(i in 0..n) r[i] * r[i]
  let stop2 = rtol * rtol * sum(i in 0..n) b[i] * b[i]
  while rr > stop2 && trips < max_trips {
    foreach i in 0..n { q[i] = sum(k in row[i]..row[i+1]) val[k] * p[col[k]] }
    let alpha = rr / sum(i in 0..n) p[i] * q[i]
    foreach i in 0..n { x[i] += alpha * p[i];  r[i] -= alpha * q[i] }
    let next = sum(i in 0..n) r[i] * r[i]
    let beta = next / rr
    foreach i in 0..n { p[i] = r[i] + beta * p[i] }
    rr = next
    trips += 1
  }
}
)";

}  // namespace gyre::bench
