#include "../../../src/executors/thread_pool.hpp"

#include <atomic>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::executors {
namespace {

TEST(ThreadPool, CallsEachWorkerOnceAJob) {
  ThreadPool pool(5);
  std::vector<int> calls(5);

  for (int job = 0; job < 300; ++job) {
    auto count = [&](int worker) { ++calls[static_cast<std::size_t>(worker)]; };
    pool.run(count);
  }

  EXPECT_EQ(calls, std::vector<int>(5, 300));
}

TEST(ThreadPool, SharesEveryTaskOnce) {
  ThreadPool pool(3);
  TaskShares shares(3);
  std::vector<std::atomic<int>> done(1001);

  shares.deal(1001);
  auto work = [&](int worker) {
    shares.work(worker, [&](std::int64_t task) { ++done[static_cast<std::size_t>(task)]; });
  };
  pool.run(work);

  for (const auto& count : done) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace gyre::executors
