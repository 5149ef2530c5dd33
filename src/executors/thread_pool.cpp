#include "thread_pool.hpp"

#include <algorithm>

namespace gyre::executors {
namespace {

// About as long as a wake-up from sleep takes.
constexpr int watch_rounds = 2000;

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// Returns once `value` is no longer `old`.
template <class T>
void wait_for_change(const std::atomic<T>& value, T old) {
  for (int i = 0; i < watch_rounds; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int threads)
    : threads_(threads > 0 ? threads
                           : std::max(1, static_cast<int>(std::thread::hardware_concurrency()))) {}

ThreadPool::~ThreadPool() {
  ends_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::start() {
  for (int worker = 1; worker < threads_; ++worker) {
    workers_.emplace_back([this, worker] { work(worker); });
  }
}

void ThreadPool::run_erased(Call call, void* job) {
  if (threads_ > 1) {
    if (workers_.empty()) start();
    call_ = call;
    job_ = job;
    busy_.store(threads_ - 1, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  call(job, 0);
  for (int busy = busy_.load(std::memory_order_acquire); busy != 0;
       busy = busy_.load(std::memory_order_acquire)) {
    wait_for_change(busy_, busy);
  }
}

void ThreadPool::work(int worker) {
  for (std::uint32_t seen = 0;;) {
    wait_for_change(round_, seen);
    // No round starts before this one has ended, so it is the next.
    ++seen;
    if (ends_.load(std::memory_order_relaxed)) return;
    call_(job_, worker);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

void TaskShares::deal(std::int64_t count) {
  for (int i = 0; i < workers_; ++i) {
    Share& share = shares_[static_cast<std::size_t>(i)];
    share.next.store(count * i / workers_, std::memory_order_relaxed);
    share.end = count * (i + 1) / workers_;
  }
}

}  // namespace gyre::executors
