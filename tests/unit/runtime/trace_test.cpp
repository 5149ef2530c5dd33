#include "gyre/runtime/trace.hpp"

#include "halving.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gyre {
namespace {

TEST(Trace, HasEveryTripInItsOrder) {
  auto executable = compile(halving());
  std::vector<double> x = {8};
  executable.bind("x", x);
  Trace trace;

  executable.run(&trace);

  ASSERT_EQ(trace.events().size(), 3u);
  EXPECT_EQ(trace.events()[0].region, "halving/while#0");
  EXPECT_EQ(trace.events()[2].trip, 2u);
  EXPECT_LE(trace.events()[0].at, trace.events()[2].at);
}

TEST(Trace, BeginsAnewWithEachLaunch) {
  auto executable = compile(halving());
  std::vector<double> x = {8};
  executable.bind("x", x);
  Trace trace;
  executable.run(&trace);

  x[0] = 2;
  executable.launch(&trace).result();

  EXPECT_EQ(trace.events().size(), 1u);
}

TEST(Trace, CountsWhatItDoesNotKeep) {
  auto executable = compile(endless(), {.max_trips = 10});
  Trace trace(4);

  executable.run(&trace);

  EXPECT_EQ(trace.events().size(), 4u);
  EXPECT_EQ(trace.dropped(), 6u);
}

TEST(Trace, IsJsonForTheChromeViewer) {
  Trace trace;
  trace.start();
  trace.add("p/while#0", 0);
  trace.add("p/while#0/for#0", 0);
  trace.add("p/while#0", 1);
  trace.stop();

  const auto json = nlohmann::json::parse(trace.to_chrome_json());

  ASSERT_EQ(json["traceEvents"].size(), 3u);
  EXPECT_EQ(json["traceEvents"][1]["name"], "p/while#0/for#0");
  EXPECT_EQ(json["traceEvents"][2]["args"]["trip"], 1);
  EXPECT_NE(json["traceEvents"][0]["tid"], json["traceEvents"][1]["tid"]);
  EXPECT_GE(json["traceEvents"][0]["dur"], 0);
}

TEST(Trace, IsCsvWithALineATrip) {
  Trace trace;
  trace.add("p/while#0", 0);
  trace.add("p/while#0", 1);

  const auto csv = trace.to_csv();

  EXPECT_EQ(csv.find("region,trip,microseconds\np/while#0,0,"), 0u);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
}

}  // namespace
}  // namespace gyre
