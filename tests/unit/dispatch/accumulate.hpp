/// A program that changes real state, and a server that has such state, for tests of dispatch.
#pragma once

#include "gyre/dispatch/dispatcher.hpp"
#include "gyre/text/parser.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gyre::dispatch {

/// Keeps a running sum for each row, and counts its launches; padding is left alone.
inline ir::Program accumulate() {
  return text::parse_program("test.gyre", R"(program accumulate(n: size) {
  in    x: f64[n], live: i64
  inout sums: f64[n]
  out   touched: i64
  temp  twice: f64[n]
  foreach i in 0..n {
    twice[i] = 2.0 * x[i]
    if i < live { sums[i] += twice[i] }
  }
  touched = count(i in 0..n) (i < live)
}
)");
}

/// To dispatch over those buckets, on the cpu.
inline DispatchOptions options_with(std::vector<std::int64_t> buckets) {
  return {.buckets = Buckets(std::move(buckets)), .compile = {.executor = "cpu"}};
}

/// A server's state: more rows than any request has.
struct State {
  std::vector<double> x = std::vector<double>(64, 1.5);
  std::vector<double> sums = std::vector<double>(64, 0.0);

  Dispatcher::Bind bind() {
    return [this](Executable& executable, std::int64_t rows) {
      const auto count = static_cast<std::size_t>(rows);
      executable.bind("x", std::span(x).first(count));
      executable.bind("sums", std::span(sums).first(count));
    };
  }
};

}  // namespace gyre::dispatch
