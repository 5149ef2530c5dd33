// The C++ of README.md compiles, and does what the page says.
#include <gyre/gyre.hpp>

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace {

TEST(Readme, ItsProgramTakesSixTrips) {
  gyre::Program p("halve");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {n});
  auto square = p.out<double>("square");
  auto trips = p.out<std::int32_t>("trips");
  auto norm2 = [&] { return sum(0, n, [&](auto i) { return x[i] * x[i]; }); };

  square = norm2();
  p.while_(square > 1, [&] {
    p.foreach(0, n, [&](auto i) { x[i] *= 0.5; });
    square = norm2();
    trips += 1;
  });

  auto halve = gyre::compile(p.finish());
  std::vector<double> data(1000, 2.0);
  halve.bind("x", data);
  auto result = halve.run();
  result.get<int>("trips");

  EXPECT_EQ(result.get<int>("trips"), 6);
  EXPECT_EQ(data[0], 0x1p-5);
}

}  // namespace
