/// What holds when one executable is launched again and again (docs/embedding.md, "The contract of
/// replay"), on every executor.
#include "gyre/cuda/event.hpp"
#include "gyre/runtime/input_ring.hpp"
#include "replay_test.hpp"
#include "support/refusal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gyre {
namespace {

using support::refusal;

using ReplayContract = ReplayTest;

constexpr const char* square_program = R"(program square(n: size) {
  in x: f64[n]
  out y: f64[n]
  foreach i in 0..n { y[i] = x[i] * x[i] + 1.0 }
}
)";

TEST_P(ReplayContract, ContentsChangeAndAddressesDoNot) {
  Executable square = make(square_program);
  const Numbers x = numbers({3.0});
  const Numbers y = numbers({0.0});
  bind(square, "x", x);
  bind(square, "y", y);

  square.run();
  const Doubles first = y.read();
  x.write({4.0});
  square.run();

  // What a caller has copied is the caller's; the output itself is the next launch's.
  EXPECT_EQ(first, Doubles{10.0});
  EXPECT_EQ(y.read(), Doubles{17.0});
}

TEST_P(ReplayContract, LengthsAndTablesInMemoryAreReadAnew) {
  Executable gather = make(R"(program gather(n: size, m: size) {
  in pool: f64[m], table: i32[m], lengths: i32[n]
  out sums: f64[n]
  foreach i in 0..n { sums[i] = sum(k in 0..lengths[i]) pool[table[k]] }
}
)");
  const Numbers pool = numbers({1, 10, 100, 1000});
  const OwnMemory<std::int32_t> table(GetParam(), {0, 1, 2, 3});
  const OwnMemory<std::int32_t> lengths(GetParam(), {1, 2});
  const Numbers sums = numbers({0, 0});
  bind(gather, "pool", pool);
  bind(gather, "table", table);
  bind(gather, "lengths", lengths);
  bind(gather, "sums", sums);

  gather.run();
  EXPECT_EQ(sums.read(), (Doubles{1, 11}));
  lengths.write({0, 4});
  gather.run();
  EXPECT_EQ(sums.read(), (Doubles{0, 1111}));
  table.write({3, 3, 3, 0});
  gather.run();
  EXPECT_EQ(sums.read(), (Doubles{0, 3001}));
}

TEST_P(ReplayContract, AHostValueLivesInASlotAndNotInTheGraph) {
  Executable affine = make(affine_program, {.overlap = Overlap::Queue});
  const Numbers x = numbers({1.0});
  bind(affine, "x", x);
  std::vector<Launch> launches;

  for (const int k : {0, 1, 2, 1, 3}) {
    affine.set("k", k);
    launches.push_back(affine.launch());
  }
  // Set too late for them.
  affine.set("k", 100);

  std::vector<int> trips;
  for (Launch& launch : launches) trips.push_back(launch.result().get<std::int32_t>("trips"));
  EXPECT_EQ(trips, (std::vector<int>{0, 1, 2, 1, 3}));
}

TEST_P(ReplayContract, NoOutputIsReadBeforeItsLaunchIsOver) {
  Executable count = make(R"(program count() {
  in k: i64
  out n: i64, seen: i64[1]
  while n < k { n += 1 }
  foreach i in 0..1 { seen[i] = n }
}
)");
  count.keep("seen", {1});

  for (const std::int64_t k : {3000, 5, 2000}) {
    count.set("k", k);
    Launch launch = count.launch();
    // There is no other way to a slot than through a result, which waits.
    EXPECT_EQ(launch.result().get<std::int64_t>("n"), k);
    std::vector<std::int64_t> seen(1);
    count.peek("seen", 0, seen);
    EXPECT_EQ(seen[0], k);
  }
}

TEST_P(ReplayContract, MemoryThatWasGivenBackIsFoundInCheckedMode) {
  Executable square = make(square_program, {.checked = true});
  std::optional<Numbers> x(numbers(Doubles(20'000, 3.0)));
  const Numbers y = numbers(Doubles(20'000, 0.0));
  bind(square, "x", *x);
  bind(square, "y", y);
  ASSERT_TRUE(square.run().completed());

  // On a device what is allocated next may well lie at the same address.
  x.reset();
  if (has_gpu()) x.emplace(numbers(Doubles(20'000, 4.0)));
  const std::string message = refusal([&] { square.run(); });
  const std::string again = refusal([&] { square.launch().result(); });
  if (!has_gpu()) x.emplace(numbers(Doubles(20'000, 4.0)));
  bind(square, "x", *x);
  square.run();

  EXPECT_NE(message.find("the memory of buffer 'x'"), std::string::npos) << message;
  EXPECT_EQ(again, message);
  EXPECT_EQ(y.read()[19'999], 17.0);
}

TEST_P(ReplayContract, LaunchesThatMeetInMemoryAreFoundInCheckedMode) {
  if (!launches_take_time()) GTEST_SKIP() << "launches are over at once here";
  const Numbers a = numbers({1.0});
  const Numbers b = numbers({1.0});
  const Numbers c = numbers({1.0});
  Executable writes = make_long(a, b, {.checked = true});
  Executable reads = make_long(b, c, {.checked = true});
  writes.run();
  writes.set("k", is_quick() ? 100'000 : 3000);

  Launch first = writes.launch();
  const std::string message = refusal([&] { reads.launch().result(); });
  first.cancel();
  first.result();

  EXPECT_NE(message.find("buffer 'x' of program 'long' would be read while a launch that writes"),
            std::string::npos)
      << message;
  // Once it is over nothing meets.
  EXPECT_EQ(refusal([&] { reads.run(); }), "accepted");
}

TEST_P(ReplayContract, AStreamIsOrderedByAnEventOrFoundOutInCheckedMode) {
  if (!has_gpu()) GTEST_SKIP() << "no streams";
  if (GetParam() == std::string("host_branch")) GTEST_SKIP() << "a launch is over when it returns";
  if (!launches_take_time()) GTEST_SKIP() << "launches are over at once here";
  const Numbers a = numbers({1.0});
  const Numbers b = numbers({1.0});
  const Numbers c = numbers({1.0});
  Executable writes = make_long(a, b, {.checked = true});
  Executable reads = make_long(b, c, {.checked = true});
  reads.prepare();
  writes.set("k", is_quick() ? 20'000 : 3000);
  writes.prepare();
  const cuda::Stream one;
  const cuda::Stream other;
  const cuda::Event written;

  Launch first = writes.launch(one.get());
  written.record(one);
  const std::string without = refusal([&] { auto launch = reads.launch(other.get()); });
  other.view().wait(written.get());
  const std::string with = refusal([&] { auto launch = reads.launch(other.get()); });
  other.synchronize();

  EXPECT_EQ(with, "accepted");
  EXPECT_EQ(b.read(), Doubles{2.0});
  EXPECT_NE(without.find("let the stream wait for an event behind it"), std::string::npos)
      << without;
  EXPECT_EQ(c.read(), Doubles{3.0});
}

TEST_P(ReplayContract, AnInputIsWrittenAheadWhileLaunchesReadTheOnesBefore) {
  Executable twice = make(twice_program, {.overlap = Overlap::Queue});
  const Numbers y = numbers(Doubles(1000));
  bind(twice, "y", y);
  InputRing x(twice, "x", {1000});
  std::vector<Launch> launches;

  for (int i = 0; i < 40; ++i) {
    x.write(Doubles(1000, i));
    launches.push_back(twice.launch());
  }

  for (int i = 0; i < 40; ++i) {
    const double total = launches[static_cast<std::size_t>(i)].result().get<double>("total");
    EXPECT_EQ(total, 2000.0 * (i + 1));
  }
  // With nothing in front of them launches wait for the copy itself.
  for (int i = 0; i < 5; ++i) {
    x.write(Doubles(1000, 50 + i));
    EXPECT_EQ(twice.run().get<double>("total"), 2000.0 * (51 + i));
  }
}

INSTANTIATE_TEST_SUITE_P(Executors, ReplayContract, every_executor, executor_name);

}  // namespace
}  // namespace gyre
