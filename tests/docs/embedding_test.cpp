// The C++ of docs/embedding.md compiles, and does what the page says.
#include <gyre/gyre.hpp>
#include <gyre/text/printer.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace gyre;

constexpr auto text = R"(program halve(n: size) {
  inout x: f64[n]
  out square: f64
  square = sum(i in 0..n) x[i] * x[i]
  while square > 1 {
    foreach i in 0..n { x[i] *= 0.5 }
    square = sum(i in 0..n) x[i] * x[i]
  }
})";

TEST(EmbeddingPage, TextAndBuilderGiveOneProgram) {
  const auto parsed = [] {
    auto program = gyre::parse_program("halve.gyre", text);
    return program;
  }();

  gyre::Program p("halve");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {n});
  auto square = p.out<double>("square");
  auto dot = [&] { return sum(0, n, [&](auto i) { return x[i] * x[i]; }); };

  square = dot();
  p.while_(square > 1, [&] {
    p.foreach(0, n, [&](auto i) { x[i] *= 0.5; });
    square = dot();
  });
  auto program = p.finish();

  EXPECT_EQ(text::print(program), text::print(parsed));
}

TEST(EmbeddingPage, RunsAsItSays) {
  const auto program = parse_program("halve.gyre", text);

  auto executable = gyre::compile(program, {.executor = "auto", .max_trips = 10'000});
  std::vector<double> x(1000, 2.0);
  executable.bind("x", x);

  auto result = executable.run();
  result.completed();
  result.get<double>("square");
  result.trips("halve/while#0");

  EXPECT_TRUE(result.completed());
  EXPECT_EQ(result.get<double>("square"), 1000.0 / 1024);
  EXPECT_EQ(result.trips("halve/while#0"), 6u);
}

TEST(EmbeddingPage, CancelsALaunchAsItSays) {
  auto executable = compile(parse_program("endless.gyre", R"(program endless() {
    var on: bool = true
    out trips: i64
    while on limit 9223372036854775807 { trips += 1 }
  })"));

  auto launch = executable.launch();
  launch.progress();
  launch.cancel();
  launch.result();

  EXPECT_EQ(launch.result().status(), Status::Cancelled);
}

TEST(EmbeddingPage, ARingTakesInputsAhead) {
  auto executable = compile(parse_program("sum.gyre", R"(program total(n: size) {
    in x: f64[n]
    out s: f64
    s = sum(i in 0..n) x[i]
  })"),
                            {.overlap = Overlap::Queue});
  constexpr int n = 3;
  const std::vector<std::vector<double>> batches = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  std::vector<Launch> launches;

  gyre::InputRing x(executable, "x", {n});
  for (const auto& batch : batches) {
    x.write(batch);
    launches.push_back(executable.launch());
  }

  std::vector<double> sums;
  for (Launch& launch : launches) sums.push_back(launch.result().get<double>("s"));
  EXPECT_EQ(sums, (std::vector<double>{6, 15, 24}));
}

}  // namespace
