// A stream of inputs: while one is worked on, the next is brought to where the program runs. What a
// launch reads is never written, however far ahead the host is.
#include <gyre/gyre.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

// Newton's steps for the square root of each element, until all of them are there.
constexpr auto text = R"(
program roots(n: size) {
  in  x: f64[n]
  out total: f64, trips: i32
  temp y: f64[n]
  var far: i64 = 1

  foreach i in 0..n { y[i] = max(x[i], 1.0) }
  while far > 0 && trips < 50 {
    far = count(i in 0..n) (abs(y[i] * y[i] - x[i]) > 1e-9 * x[i])
    foreach i in 0..n { y[i] = 0.5 * (y[i] + x[i] / y[i]) }
    trips += 1
  }
  total = sum(i in 0..n) y[i]
}
)";

int main() {
  constexpr int n = 20'000;
  constexpr int inputs = 12;
  // Queued: the host puts one launch behind the other and asks for their results at the end.
  auto roots =
      gyre::compile(gyre::parse_program("roots.gyre", text), {.overlap = gyre::Overlap::Queue});
  gyre::InputRing x(roots, "x", {n});

  std::vector<gyre::Launch> launches;
  for (int input = 0; input < inputs; ++input) {
    // Written where it is sent from; x.write(values) takes values that lie elsewhere.
    x.fill<double>([&](std::span<double> values) {
      for (auto& value : values) value = (input + 1.0) * (input + 1.0);
    });
    launches.push_back(roots.launch());
  }

  bool right = true;
  for (int input = 0; input < inputs; ++input) {
    const auto& result = launches[static_cast<std::size_t>(input)].result();
    const double mean = result.get<double>("total") / n;
    std::printf("input %2d: mean root %.6f after %d trips\n", input, mean,
                result.get<std::int32_t>("trips"));
    right = right && result.completed() && std::abs(mean - (input + 1)) < 1e-6;
  }
  return right ? 0 : 1;
}
