// A branch on data: h = 2x, then one more or one less as a flag in memory says, then times three.
// The flag may be the device's: nothing is compiled, bound or asked again when it changes.
#include <gyre/gyre.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

gyre::ir::Program branch_program() {
  gyre::Program p("branch");
  auto n = p.size("n");
  auto x = p.in<float>("x", {n});
  auto flag = p.in<std::int32_t>("flag", {1});
  auto y = p.out<float>("y", {n});
  auto h = p.temp<float>("h", {n});

  p.foreach(0, n, [&](auto i) { h[i] = 2 * x[i]; });
  p.if_(flag[0] != 0, [&] { p.foreach(0, n, [&](auto i) { h[i] += 1; }); }).else_([&] {
    p.foreach(0, n, [&](auto i) { h[i] -= 1; });
  });
  p.foreach(0, n, [&](auto i) { y[i] = 3 * h[i]; });
  return p.finish();
}

int main() {
  std::vector<float> x(8, 1);
  std::vector<float> y(8);
  std::vector<std::int32_t> flag = {1};
  auto branch = gyre::compile(branch_program());
  branch.bind("x", x);
  branch.bind("y", y);
  branch.bind("flag", flag);
  const auto all_are = [&](float value) {
    return std::all_of(y.begin(), y.end(), [&](float one) { return one == value; });
  };

  const auto first = branch.run();
  std::printf("flag 1: then ran %d times, y = %g\n", static_cast<int>(first.arms("branch/if#0")[0]),
              y[0]);
  const bool first_is_right = all_are(9);

  flag[0] = 0;
  const auto second = branch.run();
  std::printf("flag 0: else ran %d times, y = %g\n",
              static_cast<int>(second.arms("branch/if#0")[1]), y[0]);
  return first_is_right && all_are(3) ? 0 : 1;
}
