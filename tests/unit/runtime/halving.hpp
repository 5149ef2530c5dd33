/// A small program for the runtime's tests: halves x until its sum of squares is at most `stop`.
#pragma once

#include "gyre/gyre.hpp"

#include <cstdint>

namespace gyre {

inline ir::Program halving() {
  Program p("halving");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {n});
  auto stop = p.in("stop", 1.0);
  auto square = p.out<double>("square");
  auto trips = p.out("trips", 0);
  square = sum(0, n, [&](auto i) { return x[i] * x[i]; });
  p.while_(square > stop, [&] {
    p.foreach(0, n, [&](auto i) { x[i] *= 0.5; });
    square = sum(0, n, [&](auto i) { return x[i] * x[i]; });
    trips += 1;
  });
  return p.finish();
}

/// Runs until it is cancelled.
inline ir::Program endless() {
  Program p("endless");
  auto trips = p.out<std::int64_t>("trips", 0);
  p.while_(true, [&] { trips += 1; });
  return p.finish();
}

}  // namespace gyre
