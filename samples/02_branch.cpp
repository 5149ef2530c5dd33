// A branch on data: the same compiled program takes whichever arm the values ask for, and the
// result says which one ran.
#include <gyre/gyre.hpp>

#include <cstdio>
#include <vector>

gyre::ir::Program clip_program() {
  gyre::Program p("clip");
  auto n = p.size("n");
  auto x = p.inout<float>("x", {n});
  auto limit = p.in<float>("limit");
  auto largest = p.out<float>("largest");

  largest = max(0, n, [&](auto i) { return abs(x[i]); });
  p.if_(largest > limit, [&] {
     auto scale = p.let("scale", limit / largest);
     p.foreach(0, n, [&](auto i) { x[i] *= scale; });
   }).else_if(largest == 0, [&] { p.stop("all zero"); });
  return p.finish();
}

int main() {
  auto clip = gyre::compile(clip_program());
  clip.set("limit", 1.0f);

  std::vector<float> x = {0.5f, -4.0f, 2.0f};
  clip.bind("x", x);
  const auto scaled = clip.run();
  std::printf("%s, scaled %d times, x = %g %g %g\n", scaled.describe().c_str(),
              static_cast<int>(scaled.arms("clip/if#0")[0]), x[0], x[1], x[2]);

  // New contents, the same executable: nothing is compiled or bound again.
  x = {0, 0, 0};
  clip.bind("x", x);
  const auto stopped = clip.run();
  std::printf("%s\n", stopped.describe().c_str());
  return scaled.completed() && stopped.label() == "all zero" ? 0 : 1;
}
