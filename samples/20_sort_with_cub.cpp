// Sorts by CUB: the statement stays what it is, and so do its bits. On a GPU, which CUB needs,
// a list of a million values is sorted by a call that gyre records; elsewhere nothing changes.
#include <gyre/gyre.hpp>
#include <gyre/libraries/cub.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  // The nearest first, and which they are.
  gyre::Program p("nearest");
  auto n = p.size("n");
  auto distance = p.in<float>("distance", {n});
  auto ordered = p.out<float>("ordered", {n});
  auto which = p.out<std::int32_t>("which", {n});
  p.sort_by_key(
      gyre::range(0, n), ordered, which, [&](auto i) { return distance[i]; },
      [&](auto i) { return gyre::cast<std::int32_t>(i); });

  gyre::CompileOptions options;
  options.library = gyre::libraries::cub();
  auto executable = gyre::compile(p.finish(), options);

  std::vector<float> distances(1'000'000);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    distances[i] = static_cast<float>(i * 7919 % 1'000'003);
  }
  std::vector<float> sorted(distances.size());
  std::vector<std::int32_t> indices(distances.size());
  executable.bind("distance", distances);
  executable.bind("ordered", sorted);
  executable.bind("which", indices);
  const gyre::Result result = executable.run();

  std::printf("on %s: the nearest is %d, at %g\n", std::string(executable.executor()).c_str(),
              indices[0], static_cast<double>(sorted[0]));
  bool right = result.completed() && std::is_sorted(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    right = right && sorted[i] == distances[static_cast<std::size_t>(indices[i])];
  }
  return right ? 0 : 1;
}
