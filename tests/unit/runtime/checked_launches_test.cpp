/// Launches of checked executables that use the same memory at once.
#include "airport.hpp"
#include "gyre/text/parser.hpp"
#include "support/refusal.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using support::contains;
using support::refusal;

constexpr const char* adds_text = R"(program adds(n: size) {
  in x: f64[n]
  inout y: f64[n]
  in k: i64 = 0
  out trips: i64
  while trips < k { trips += 1 }
  foreach i in 0..n { y[i] += x[i] }
}
)";

Executable make(const std::vector<double>& x, std::vector<double>& y, bool checked = true,
                std::shared_ptr<SharedArena> arena = nullptr) {
  Executable adds =
      compile(text::parse_program("test.gyre", adds_text), {.executor = "cpu",
                                                            .checked = checked,
                                                            .overlap = Overlap::Queue,
                                                            .arena = std::move(arena)});
  adds.bind("x", x);
  adds.bind("y", y);
  return adds;
}

class CheckedLaunches : public ::testing::Test {
 protected:
  // What launching the second says while the first is under way.
  static std::string beside(Executable& first, Executable& second) {
    first.set("k", std::int64_t{1'000'000'000'000});
    second.set("k", 0);
    auto running = first.launch();
    auto message = refusal([&] { second.launch().result(); });
    running.cancel();
    return message;
  }

  std::vector<double> a_ = std::vector<double>(10, 1.0);
  std::vector<double> b_ = std::vector<double>(10, 1.0);
  std::vector<double> c_ = std::vector<double>(10, 1.0);
};

TEST_F(CheckedLaunches, ReadingWhatAnotherWritesIsRefusedByName) {
  Executable writes_b = make(a_, b_);
  Executable reads_b = make(b_, c_);

  EXPECT_EQ(
      beside(writes_b, reads_b),
      "buffer 'x' of program 'adds' would be read while a launch that writes the same memory, "
      "buffer 'y' of program 'adds', is under way; wait for its result, or let the stream "
      "wait for an event behind it");
}

TEST_F(CheckedLaunches, WritingWhatAnotherReadsOrWritesIsRefused) {
  Executable reads_a = make(a_, b_);
  Executable writes_a = make(c_, a_);
  Executable writes_b = make(c_, b_);

  EXPECT_TRUE(contains(beside(reads_a, writes_a), "would be written while a launch that reads"));
  EXPECT_TRUE(contains(beside(reads_a, writes_b), "would be written while a launch that writes"));
}

TEST_F(CheckedLaunches, ReadingTogetherIsNoMeeting) {
  Executable one = make(a_, b_);
  Executable other = make(a_, c_);

  EXPECT_EQ(beside(one, other), "accepted");
}

TEST_F(CheckedLaunches, NeighboursDoNotMeet) {
  std::vector<double> d(20, 1.0);
  Executable low = make(a_, b_);
  Executable high = make(a_, c_);
  low.bind("y", std::span(d).first(10));
  high.bind("y", std::span(d).last(10));

  EXPECT_EQ(beside(low, high), "accepted");
  high.bind("y", std::span(d).subspan(9, 10));
  EXPECT_NE(beside(low, high), "accepted");
}

TEST_F(CheckedLaunches, AreNotLookedForWhereEitherIsNotChecked) {
  Executable one = make(a_, b_, true);
  Executable other = make(b_, c_, false);

  EXPECT_EQ(beside(one, other), "accepted");
  other = make(b_, c_, false);
  EXPECT_EQ(beside(other, one), "accepted");
}

TEST_F(CheckedLaunches, OnesThatQueueUpNeverMeet) {
  Executable one = make(a_, b_);
  one.set("k", 1000);
  auto first = one.launch();
  EXPECT_EQ(refusal([&] { one.launch().result(); }), "accepted");

  const auto arena = std::make_shared<SharedArena>();
  Executable in_arena = make(a_, b_, true, arena);
  Executable beside_it = make(b_, c_, true, arena);
  in_arena.set("k", 1000);
  auto second = in_arena.launch();
  EXPECT_EQ(refusal([&] { beside_it.launch().result(); }), "accepted");
}

TEST_F(CheckedLaunches, OnesThatAreOverAreForgotten) {
  Executable one = make(a_, b_);
  { auto launch = one.launch(); }

  Executable other = make(b_, c_);

  EXPECT_EQ(refusal([&] { other.run(); }), "accepted");
}

class CheckedFlights : public Airfield {
 protected:
  Executable make(std::vector<double>& x) {
    auto executable = compile(halving(), {.executor = "persistent", .checked = true});
    executable.bind("x", x);
    return executable;
  }

  std::vector<double> shared_ = std::vector<double>(4, 1.0);
};

TEST_F(CheckedFlights, AStreamThatDoesNotComeBehindTheOtherIsRefused) {
  auto one = make(shared_);
  auto other = make(shared_);
  auto first = one.launch();

  const auto message = refusal([&] { auto second = other.launch(&stream_); });
  airport_.lands = true;

  EXPECT_TRUE(contains(message, "let the stream wait for an event behind it")) << message;
  EXPECT_EQ(airport_.asked_before, std::vector<void*>{&stream_});
  EXPECT_EQ(airport_.started, 1);
}

TEST_F(CheckedFlights, AStreamThatComesBehindTheOtherIsNot) {
  auto one = make(shared_);
  auto other = make(shared_);
  auto first = one.launch();
  airport_.is_behind = true;

  auto second = other.launch(&stream_);
  airport_.lands = true;

  EXPECT_EQ(airport_.started, 2);
}

}  // namespace
}  // namespace gyre
