/// What the driver has given out of the memory of its device.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include <cuda.h>

namespace emulated {

/// Memory that was asked for, each with a number of its own.
class Allocations {
 public:
  void add(CUdeviceptr address, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    all_[address] = {bytes, ++last_};
    held_ += bytes;
  }
  void remove(CUdeviceptr address) {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(address);
    if (found == all_.end()) return;
    held_ -= found->second.bytes;
    all_.erase(found);
  }
  struct Found {
    CUdeviceptr begin = 0;
    std::size_t bytes = 0;
    unsigned long long number = 0;
  };
  Found find(CUdeviceptr address) {
    const std::lock_guard lock(mutex_);
    auto next = all_.upper_bound(address);
    if (next == all_.begin()) return {};
    const auto& [begin, one] = *--next;
    return address - begin < one.bytes ? Found{begin, one.bytes, one.number} : Found{};
  }
  std::size_t held() {
    const std::lock_guard lock(mutex_);
    return held_;
  }

 private:
  struct One {
    std::size_t bytes;
    unsigned long long number;
  };
  std::mutex mutex_;
  std::map<CUdeviceptr, One> all_;
  unsigned long long last_ = 0;
  std::size_t held_ = 0;
};

}  // namespace emulated
