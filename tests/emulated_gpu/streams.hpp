/// Streams of the GPU that is the host: what is put on one is done before the call returns or,
/// where GYRE_EMULATED_STREAMS is `late`, by a thread of the stream, so that launches are under way
/// for a while and only events bring work of several streams into order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace emulated {

inline bool streams_are_late() {
  static const char* how = std::getenv("GYRE_EMULATED_STREAMS");
  static const bool late = how != nullptr && std::string_view(how) == "late";
  return late;
}

/// Counts how often it was recorded, and up to which of these the device has come.
class Event {
 public:
  std::uint64_t record() {
    const std::lock_guard lock(mutex_);
    return ++recorded_;
  }
  std::uint64_t recorded() {
    const std::lock_guard lock(mutex_);
    return recorded_;
  }
  void reach(std::uint64_t record) {
    const std::lock_guard lock(mutex_);
    if (record > reached_) reached_ = record;
    changed_.notify_all();
  }
  bool is_reached(std::uint64_t record) {
    const std::lock_guard lock(mutex_);
    return reached_ >= record;
  }
  void wait_for(std::uint64_t record) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reached_ >= record; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t recorded_ = 0;
  std::uint64_t reached_ = 0;
};

/// Never destroyed, as little of this driver is: a process is a test.
class Stream {
 public:
  Stream() {
    if (!streams_are_late()) return;
    std::thread([this] { work(); }).detach();
  }

  void put(std::function<void()> work) {
    if (!streams_are_late()) return work();
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    changed_.notify_all();
  }
  bool is_done() {
    const std::lock_guard lock(mutex_);
    return queue_.empty();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.empty(); });
  }

 private:
  [[noreturn]] void work() {
    while (true) {
      std::function<void()> next;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return !queue_.empty(); });
        next = queue_.front();
      }
      next();
      const std::lock_guard lock(mutex_);
      queue_.pop_front();
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
};

/// All that were made, the legacy one first.
class Streams {
 public:
  Stream* make() {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::make_unique<Stream>());
    return all_.back().get();
  }
  Stream& legacy() { return *legacy_; }
  void wait_for_all() {
    std::vector<Stream*> all;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& stream : all_) all.push_back(stream.get());
    }
    for (Stream* stream : all) stream->wait();
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Stream>> all_;
  Stream* legacy_ = make();
};

inline Streams& streams() {
  static auto* all = new Streams;
  return *all;
}

}  // namespace emulated
