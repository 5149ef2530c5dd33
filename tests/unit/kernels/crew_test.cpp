// How a crew of one block goes through a loop.

#include "unit/kernels/simt.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

constexpr unsigned threads = 64;
constexpr unsigned counter = sizeof(Control);

/// The state of a launch: its head, and one count.
struct Launched {
  Control control{};
  unsigned long long trips = 0;

  Launched() { control.launch = 1; }
  State state() { return reinterpret_cast<State>(this); }
};
static_assert(offsetof(Launched, trips) == counter);

// How many trips each thread made; `in_trip` is run by all in each.
template <class InTrip>
std::set<unsigned long long> trips_of(Launched& launched, unsigned long long limit, bool steady,
                                      InTrip in_trip) {
  std::set<unsigned long long> made;
  simt::Block::launch(1, threads, [&] {
    Crew<BlockMeeting> crew(launched.state());
    Entry entry{limit};
    unsigned long long trips = 0;
    bool holds = true;
    while (crew.goes_on(entry, holds, steady, counter, 7)) holds = in_trip(crew, ++trips);
    made.insert(trips);
  });
  return made;
}

TEST(Crew, MakesAsManyTripsAsTheConditionSaysAndCountsThem) {
  Launched launched;

  const auto made =
      trips_of(launched, 100, false, [](auto&, unsigned long long trips) { return trips < 5; });

  EXPECT_EQ(made, std::set<unsigned long long>{5});
  EXPECT_EQ(launched.trips, 5u);
  EXPECT_EQ(launched.control.status, running);
}

TEST(Crew, EndsTheLaunchAtTheLimitOnlyIfTheConditionStillHolds) {
  Launched at_limit;
  Launched past_limit;

  trips_of(at_limit, 5, false, [](auto&, unsigned long long trips) { return trips < 5; });
  trips_of(past_limit, 5, false, [](auto&, unsigned long long trips) { return trips < 6; });

  EXPECT_EQ(at_limit.control.status, running);
  EXPECT_EQ(past_limit.control.status, trip_limit);
  EXPECT_EQ(past_limit.control.region, 7u);
  EXPECT_EQ(past_limit.trips, 5u);
}

TEST(Crew, ASteadyLoopReachesItsLimitAtOnce) {
  Launched launched;

  const auto made =
      trips_of(launched, 1'000'000'000'000, true, [](auto&, unsigned long long) { return true; });

  EXPECT_EQ(made, std::set<unsigned long long>{1});
  EXPECT_EQ(launched.trips, 1'000'000'000'000u);
  EXPECT_EQ(launched.control.status, trip_limit);
}

TEST(Crew, EndsAtMostTwoTripsAfterItIsCancelled) {
  Launched launched;

  const auto made = trips_of(launched, 100, false, [&](auto& crew, unsigned long long trips) {
    if (trips == 10 && crew.leads()) launched.control.cancel[0] = 1;
    return true;
  });

  EXPECT_EQ(launched.control.status, cancelled);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_LE(*made.begin(), 12u);
}

TEST(Crew, MakesNoTripOfALaunchThatWasCancelledBeforeItBegan) {
  Launched launched;
  launched.control.cancel[0] = 1;

  const auto made = trips_of(launched, 100, false, [](auto&, unsigned long long) { return true; });

  EXPECT_EQ(made, std::set<unsigned long long>{0});
  EXPECT_EQ(launched.control.status, cancelled);
}

TEST(Crew, TheWordForAnotherLaunchCancelsNothing) {
  Launched launched;
  launched.control.cancel[0] = 1 + queue_places;

  trips_of(launched, 100, false, [](auto&, unsigned long long trips) { return trips < 5; });

  EXPECT_EQ(launched.control.status, running);
}

TEST(Crew, AllThreadsLearnThatOneHasFailed) {
  Launched launched;
  std::vector<char> failed(threads);

  simt::Block::launch(1, threads, [&] {
    Crew<BlockMeeting> crew(launched.state());
    if (threadIdx.x == 33) launched.control.status = faulted;
    failed[threadIdx.x] = crew.has_failed() ? 1 : 0;
  });

  EXPECT_EQ(failed, std::vector<char>(threads, 1));
}

TEST(Crew, DoesNothingInALaunchThatIsOver) {
  Launched launched;
  launched.control.status = stopped;
  bool has_ended = false;

  simt::Block::launch(1, threads,
                      [&] { has_ended = Crew<BlockMeeting>(launched.state()).has_ended(); });

  EXPECT_TRUE(has_ended);
}

}  // namespace
}  // namespace gyre
