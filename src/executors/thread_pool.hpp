/// Threads that wait for one job at a time and run it together with the caller.
///
/// Made for jobs of microseconds: handing one out takes no lock and no memory. Between jobs a
/// thread watches for a moment and then sleeps. Leaves out what a job is made of.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace gyre::executors {

class ThreadPool {
 public:
  /// `threads` in all, the caller's included; 0: one for each core. None starts before the first
  /// job.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }

  /// Calls `job(worker)` once for each worker from 0 (the caller) to threads() - 1, and returns
  /// when all have returned. A job does not throw.
  template <class Job>
  void run(Job& job) {
    run_erased([](void* it, int worker) { (*static_cast<Job*>(it))(worker); }, &job);
  }

 private:
  using Call = void (*)(void*, int);

  void run_erased(Call call, void* job);
  void start();
  void work(int worker);

  int threads_;
  std::vector<std::thread> workers_;
  Call call_ = nullptr;
  void* job_ = nullptr;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<int> busy_{0};
  std::atomic<bool> ends_{false};
};

/// The tasks 0..count of a job, shared out in even runs, so that a worker meets the same data in
/// each job; whoever has finished its own takes from the others.
class TaskShares {
 public:
  explicit TaskShares(int workers)
      : workers_(workers), shares_(std::make_unique<Share[]>(static_cast<std::size_t>(workers))) {}

  void deal(std::int64_t count);

  /// Calls `function(task)` until none is left.
  template <class Function>
  void work(int worker, Function function) {
    for (int i = 0; i < workers_; ++i) {
      Share& share = shares_[static_cast<std::size_t>((worker + i) % workers_)];
      for (;;) {
        const std::int64_t task = share.next.fetch_add(1, std::memory_order_relaxed);
        if (task >= share.end) break;
        function(task);
      }
    }
  }

 private:
  struct alignas(64) Share {
    std::atomic<std::int64_t> next{0};
    std::int64_t end = 0;
  };
  int workers_;
  std::unique_ptr<Share[]> shares_;
};

}  // namespace gyre::executors
