// The smallest loop: a program as text, compiled and run. Its condition is tested where the program
// runs; the host only reads the result.
#include <gyre/gyre.hpp>

#include <cstdio>

constexpr auto text = R"(
program countdown() {
  inout n: i32
  out   trips: i32 = 0
  while n > 0 {
    n -= 3
    trips += 1
  }
}
)";

int main() {
  auto countdown = gyre::compile(gyre::parse_program("countdown.gyre", text));
  countdown.set("n", 10);

  const auto result = countdown.run();

  std::printf("%s: %s, n = %d after %d trips\n", std::string(countdown.executor()).c_str(),
              result.describe().c_str(), result.get<int>("n"), result.get<int>("trips"));
  return result.completed() && result.get<int>("trips") == 4 ? 0 : 1;
}
